import type { KnownRuntime } from '../../core/model.ts';
import type { Variables } from './expand.ts';
import { nameOf, runtimeOf } from './programs.ts';
import { shellCommands } from './shell.ts';

/** One program that a container starts. */
export interface Command {
  /** Its path as written; empty when the image's entrypoint is not known. */
  readonly program: string;
  readonly runtime: KnownRuntime | undefined;
  readonly words: readonly string[];
  readonly variables: Variables;
  /** Whether the program stands first, with no wrapper (`tini --`, `docker-entrypoint.sh`, `env A=b`) before it. */
  readonly direct: boolean;
}

const PRINTS = new Set(['echo', 'printf', ':', 'true', 'test', '[']);
const MOST_COMMANDS = 500;

/**
 * Takes a command line apart: wrappers before a known program are passed over, strings of `sh -c` (and of `nodemon
 * --exec`) are read. `entrypoint` tells whether the first word is the program, or an argument of an unseen one. `budget`
 * bounds the work, since by way of `"$@"` a short script can start itself again and again.
 */
export function commandsOf(
  words: readonly string[],
  variables: Variables,
  entrypoint: boolean,
  budget = { left: MOST_COMMANDS },
): Command[] {
  if (budget.left-- <= 0) return [];
  const prints = PRINTS.has(words[0] ?? '');
  const at = prints ? -1 : words.findIndex(word => runtimeOf(word) !== undefined);
  if (at < 0) {
    const [program = '', rest] = entrypoint ? [words[0], words.slice(1)] : ['', words];
    return [{ program, runtime: undefined, words: rest, variables, direct: true }];
  }
  const program = words[at]!;
  const rest = words.slice(at + 1);
  const seen = new Map([...variables, ...assignmentsIn(words.slice(0, at))]);
  const inner = scriptOf(nameOf(program), rest);
  const commands = inner
    ? shellCommands(inner.script, seen, inner.parameters).flatMap(one =>
        commandsOf(one.words, one.variables, true, budget),
      )
    : [];
  const runtime = runtimeOf(program);
  if (runtime !== 'shell') return [{ program, runtime, words: rest, variables: seen, direct: at === 0 }, ...commands];
  // `sh run.sh node …`: the script is a wrapper like any other.
  return inner ? commands : commandsOf(rest, seen, true, budget).map(one => ({ ...one, direct: false }));
}

function scriptOf(program: string, words: readonly string[]): { script: string; parameters: string[] } | undefined {
  if (runtimeOf(program) === 'shell') {
    const at = words.findIndex(word => /^-[a-z]*c$/.test(word));
    if (at < 0) return undefined;
    return { script: words[at + 1] ?? '', parameters: words.slice(at + 3) };
  }
  if (program !== 'nodemon') return undefined;
  const at = words.findIndex(word => /^(?:-x|--exec)$/.test(word));
  // nodemon puts the script behind what it executes.
  return at < 0 ? undefined : { script: `${words[at + 1] ?? ''} "$@"`, parameters: words.slice(at + 2) };
}

const assignmentsIn = (words: readonly string[]): [string, string][] =>
  words.flatMap(word => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? [];
    return name === undefined ? [] : [[name, value!]];
  });
