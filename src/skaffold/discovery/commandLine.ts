/** What the command line of a `skaffold debug` says. */
export type CommandLine = Readonly<{
  /** Undefined when it is not given, 0 when any free one is wanted. */
  rpcPort?: number;
  httpPort?: number;
  /** As it is written. */
  file?: string;
  selection: Selection;
}>;

/** What of its file a Skaffold works on, and where. */
export type Selection = Readonly<{
  modules: readonly string[];
  profiles: readonly string[];
  namespace?: string;
  kubeContext?: string;
}>;

/** Options of which the value is of interest here, with their short names. */
const OPTIONS = {
  ...{ 'rpc-port': undefined, 'rpc-http-port': undefined, 'kube-context': undefined },
  ...{ filename: 'f', namespace: 'n', module: 'm', profile: 'p' },
} as const;

type Option = keyof typeof OPTIONS;
const names = Object.keys(OPTIONS) as Option[];

/** The program, whatever folder stands before its name and whatever version or platform follows it. */
const PROGRAM = /(^|[/\\])skaffold([-_v\d].*)?(?<!\.ya?ml)$/i;

/** What may run it, where it is a script; an editor or a search has its name among the words, too. */
const INTERPRETER = /(^|[/\\])(env|node|(ba|da|z|k)?sh)(\.exe)?$/i;

/** How many words may stand before it: the interpreter of a script, and an option of that. */
const MOST_BEFORE = 2;

/** Options of all commands that take a value, which may stand before the command. */
const BEFORE = new Set(['-v', '--verbosity', '--color']);

/**
 * What a process was started with, if that is `skaffold debug`; variables count as the options that they stand for (skaffold:
 * cmd/skaffold/app/cmd/cmd.go, setFlagsFromEnvVariables).
 */
export function debugOf(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): CommandLine | undefined {
  const at = words.findIndex(word => PROGRAM.test(word.replace(/\.exe$/i, '')));
  if (at < 0 || at > MOST_BEFORE || (at > 0 && !INTERPRETER.test(words[0]!))) return undefined;
  const rest = words.slice(at + 1);
  if (commandIn(rest) !== 'debug') return undefined;
  const given = valuesIn(rest);
  const all = (option: Option): string[] => {
    const variable = env[`SKAFFOLD_${option.toUpperCase().replaceAll('-', '_')}`];
    return [...(variable ? [variable] : []), ...given.filter(([name]) => name === option).map(([, value]) => value)];
  };
  const list = (option: Option) => all(option).flatMap(value => value.split(','));
  return {
    ...defined('rpcPort', portOf(all('rpc-port').at(-1))),
    ...defined('httpPort', portOf(all('rpc-http-port').at(-1))),
    ...defined('file', all('filename').at(-1)),
    selection: {
      ...defined('namespace', all('namespace').at(-1)),
      ...defined('kubeContext', all('kube-context').at(-1)),
      modules: list('module'),
      profiles: list('profile'),
    },
  };
}

function commandIn(words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith('-')) return word;
    if (BEFORE.has(word)) at++;
  }
  return undefined;
}

/** The options of interest with their values, in all ways to write them. */
function valuesIn(words: readonly string[]): [Option, string][] {
  const found: [Option, string][] = [];
  for (let at = 0; at < words.length && words[at] !== '--'; at++) {
    const word = words[at]!;
    const [name, value] = optionIn(word);
    if (name) found.push([name, value ?? words[++at] ?? '']);
  }
  return found;
}

/** `--name value`, `--name=value`, `-n value`, `-n=value`, `-nvalue`. */
function optionIn(word: string): [Option | undefined, string | undefined] {
  const [, long, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
  const name = names.find(option => option === long);
  if (name) return [name, value];
  const [, short, after] = /^-([a-z])(?:=?(.+))?$/s.exec(word) ?? [];
  return [names.find(option => short !== undefined && OPTIONS[option] === short), after];
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text);
  return text && Number.isInteger(port) && port >= 0 && port < 65_536 ? port : undefined;
}

const defined = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
