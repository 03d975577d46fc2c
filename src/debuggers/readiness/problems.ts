import { UserError } from '../../core/errors.ts';
import { oneLine } from '../../lib/plainText.ts';

/** What a probe looks for, in the words of its failures. */
export interface Listener {
  /** `Node inspector`, `dlv`. */
  readonly name: string;
  /** Why the port may refuse connections, and what to do. */
  readonly whenRefused: string;
  /** Why a connection may be closed at once, and what to do. */
  readonly whenClosed: string;
  /** Why it may take a connection and say nothing, and what to do. */
  readonly whenSilent?: string;
}

/** The pod refuses connections to the port. */
export const notListening = ({ name, whenRefused }: Listener, cause: unknown): UserError =>
  new UserError('not-listening', `The container's debug port refuses connections: no ${name} listens there.`, {
    cause,
    remedy: whenRefused,
  });

/** The listener takes a connection and ends it without an answer. */
export const closedAtOnce = ({ name, whenClosed }: Listener, cause: unknown): UserError =>
  new UserError(
    'listener-closed',
    `The container's debug port closes each connection at once, where ${name} should answer.`,
    {
      cause,
      remedy: whenClosed,
    },
  );

/** A connection stands, and nothing comes. */
export const silent = ({ name, whenSilent }: Listener, cause: unknown): UserError =>
  new UserError('listener-silent', `The container's debug port takes a connection, but ${name} does not answer.`, {
    cause,
    remedy:
      whenSilent ?? 'Check that the process is not stopped or starved, and that the port is that of the debugger.',
  });

/** Something else answers; `seen` is the beginning of what it says. */
export const wrongProtocol = ({ name }: Listener, seen: string): UserError =>
  new UserError('wrong-protocol', `What listens on the container's debug port is no ${name}.`, {
    cause: `it answered "${oneLine(seen, 120)}"`,
    remedy: "Check the port: the annotation, the debug flag and the program's own ports must not be mixed up.",
  });

/** A debug adapter answers, and says no to the first request. */
export const initializeRefused = ({ name, whenClosed }: Listener, cause: unknown): UserError =>
  new UserError('initialize-refused', `The container's ${name} takes no debugger now.`, {
    cause: typeof cause === 'string' ? oneLine(cause, 200) : 'it gave no reason',
    remedy: whenClosed,
  });

/** The way to the port broke. */
export const connectionLost = ({ name }: Listener, cause: unknown): UserError =>
  new UserError('connection-lost', `The connection to the container's ${name} broke.`, {
    cause,
    remedy: 'Try again; if it stays so, look whether the pod is well and the API server can be reached.',
  });

/** A package manager or a watcher holds the inspector's port. */
export const launcherOwnsPort = (launcher: string, script: string): UserError =>
  new UserError(
    'launcher-owns-port',
    `The inspector on the container's debug port is that of ${launcher}, not of the program.`,
    {
      cause: script,
      remedy:
        'Give --inspect to the program alone: "node --inspect …" in the command or in the script of package.json, not in NODE_OPTIONS.',
    },
  );

/** The inspector answers, with no program to debug. */
export const noTarget = (): UserError =>
  new UserError('no-target', "The inspector on the container's debug port lists no program.", {
    remedy: 'Look in the log of the container whether the program runs.',
  });

/** VS Code's Go debugger would wait for an answer that never comes. */
export const dlvTooOld = (version: string): UserError =>
  new UserError('dlv-too-old', `The container's dlv is version ${version}, which VS Code cannot talk to.`, {
    cause: 'the Debug Adapter Protocol is spoken by dlv 1.7.3 and later',
    remedy: 'Use a newer dlv in the image; with Skaffold, a newer Skaffold brings one.',
  });
