/** One instruction of a Dockerfile, continued lines joined. */
export type Instruction = Readonly<{
  /** Upper case. */
  name: string;
  /** `--from=build`, … by name; of those that come more than once all. */
  flags: readonly Readonly<{ name: string; value: string }>[];
  /** What comes after the flags. */
  rest: string;
}>;

/** The instructions of a Dockerfile (Docker's "Dockerfile reference"); what is none is left out. */
export function instructionsOf(text: string): readonly Instruction[] {
  const escape = /^#[ \t]*escape[ \t]*=[ \t]*`/im.test(text.split(/^(?!#)/m)[0] ?? '') ? '`' : '\\';
  const lines = text.split(/\r?\n/);
  const instructions: Instruction[] = [];
  while (lines.length > 0) {
    const whole = nextLine(lines, escape);
    const [, name = '', after = ''] = /^\s*([a-z]+)\s+(.*)$/is.exec(whole) ?? [];
    if (name === '') continue;
    skipHeredocs(after, lines);
    instructions.push({ name: name.toUpperCase(), ...flagsOf(after) });
  }
  return instructions;
}

/** A line with those that continue it; comments and empty lines between them do not count. */
function nextLine(lines: string[], escape: string): string {
  let whole = '';
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (/^\s*(?:#|$)/.test(line)) {
      if (whole === '') return '';
      continue;
    }
    const [, begin] = line.trimEnd().endsWith(escape) ? [line, line.trimEnd().slice(0, -1)] : [line, undefined];
    whole += begin ?? line;
    if (begin === undefined) return whole;
  }
  return whole;
}

/** `RUN <<EOF`: the lines until `EOF` are no instructions. */
function skipHeredocs(after: string, lines: string[]): void {
  for (const [, dash, , word] of after.matchAll(/<<(-?)(["']?)([A-Za-z_]\w*)\2/g)) {
    const end = lines.findIndex(line => (dash ? line.replace(/^\t+/, '') : line) === word);
    lines.splice(0, end + 1);
  }
}

function flagsOf(after: string): Pick<Instruction, 'flags' | 'rest'> {
  const flags: { name: string; value: string }[] = [];
  let rest = after.trim();
  for (;;) {
    const found = /^--([a-z-]+)(?:=("[^"]*"|\S*))?\s*/.exec(rest);
    if (!found) return { flags, rest };
    flags.push({ name: found[1]!, value: (found[2] ?? '').replace(/^"(.*)"$/, '$1') });
    rest = rest.slice(found[0].length);
  }
}

/** The words of `COPY a b` or `COPY ["a", "b"]`; quotes taken off. */
export function wordsOf(rest: string): readonly string[] {
  if (rest.startsWith('[')) {
    try {
      const words = JSON.parse(rest) as unknown;
      if (Array.isArray(words) && words.every(word => typeof word === 'string')) return words;
    } catch {
      // Docker takes it for words, too.
    }
  }
  return [...rest.matchAll(/(?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'])+/g)].map(([word]) => unquoted(word));
}

const unquoted = (word: string) =>
  word.replace(/"((?:\\.|[^"])*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? '');

/**
 * Puts variables into a text: `$X`, `${X}`, `${X:-else}`, `${X:+then}`. `undefined` when it has one whose value is not
 * known: the environment of a base image is none of the file's.
 */
export function expanded(text: string, values: ReadonlyMap<string, string | undefined>): string | undefined {
  let isKnown = true;
  const whole = text.replace(
    /\\(\$)|\$(?:(\w+)|\{(\w+)(?:(:?[-+])([^}]*))?\})/g,
    (_, dollar?: string, plain?: string, braced?: string, sign?: string, other = '') => {
      if (dollar) return dollar;
      const value = values.get(plain ?? braced ?? '');
      if (sign?.endsWith('-')) return value ? value : String(other);
      if (sign?.endsWith('+')) return value ? String(other) : '';
      isKnown &&= value !== undefined;
      return value ?? '';
    },
  );
  return isKnown ? whole : undefined;
}

/** `A=1 B="2 3"`, or the older `A 1`. */
export function assignmentsOf(rest: string): readonly (readonly [name: string, value: string])[] {
  const found = [...rest.matchAll(/([\w.-]+)=((?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'])*)/g)];
  if (found.length > 0 && /^[\w.-]+=/.test(rest)) return found.map(([, name, value]) => [name!, unquoted(value!)]);
  const [, name, value] = /^(\S+)\s+(.*)$/s.exec(rest) ?? [];
  return name === undefined ? [] : [[name, value!]];
}
