import type { Evidence, KnownRuntime, Verdict } from '../../core/model.ts';
import type { Command } from './commands.ts';
import type { Variables } from './expand.ts';
import type { Listen } from './options.ts';

/** How a container is started, as far as its specification shows it. */
export interface Start {
  readonly commands: readonly Command[];
  readonly variables: Variables;
  readonly image: string;
  readonly mounts: readonly string[];
  /** Names of the pod's init containers. */
  readonly inits: readonly string[];
  /** Whether the container has an open standard input. */
  readonly stdin: boolean;
}

/** What one runtime's rules say about a container. */
export interface Finding {
  readonly runtime: KnownRuntime;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
  /** The words that led here, as they stand in the pod. */
  readonly text: string;
  /** Where they stand, when looking for `text` would not show it. */
  readonly where?: string | undefined;
  readonly protocol?: string | undefined;
  readonly port?: number | undefined;
  readonly reason?: string | undefined;
  readonly takesMany?: boolean | undefined;
  readonly path?: string | undefined;
}

/** One runtime's rules. */
export type Find = (start: Start) => readonly Finding[];

export const randomPort = 'It listens on a random port, which the pod does not tell: give it a fixed one.';
export const hiddenPort = 'The port comes from a variable whose value the pod does not show.';

/** Verdict and port of a server that is told where to listen. `host` is the port when only a host is given. */
export function listening(
  listen: Listen,
  suspended: boolean,
  host: number | undefined,
): Pick<Finding, 'verdict' | 'port' | 'reason'> {
  switch (listen.kind) {
    case 'port':
      return { verdict: suspended ? 'suspended' : 'live', port: listen.port };
    case 'host':
      return host === undefined
        ? { verdict: 'crash', reason: 'The address has no port: the debugger refuses to start.' }
        : { verdict: suspended ? 'suspended' : 'live', port: host };
    case 'random':
      return { verdict: 'port-unknown', reason: randomPort };
    case 'unknown':
      return { verdict: 'port-unknown', reason: hiddenPort };
    case 'invalid':
      return { verdict: 'crash', reason: 'The port is no valid number: the debugger refuses to start.' };
  }
}

/** A container that only looks like a runtime, by its program or a variable: nothing in it starts a debugger. */
export function hintsOf(
  runtime: KnownRuntime,
  { commands, variables }: Start,
  isVariable: (name: string) => boolean,
): Finding[] {
  const hint = {
    runtime,
    verdict: 'not-debuggable',
    evidence: 'runtime-hint',
    reason: 'Nothing in the pod starts a debugger.',
  } as const;
  const program = commands.find(command => command.runtime === runtime && command.direct);
  const variable = [...variables.keys()].find(isVariable);
  return [
    ...(program ? [{ ...hint, text: program.program }] : []),
    ...(variable === undefined ? [] : [{ ...hint, text: variable, where: 'env' }]),
  ];
}
