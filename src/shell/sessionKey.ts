import { fields } from './fields.ts';

/** Our own key in a debug configuration: it finds the session again, whatever type and name the debugger gives it. */
export const sessionKey = 'breakpodSession';

/** The parts of a debug session that tell whose it is. */
export interface KeyedSession {
  readonly configuration: unknown;
  readonly parentSession?: KeyedSession | undefined;
}

/** The key of a session of ours or of a session below one (js-debug makes children that lack it). */
export function keyOf(session: KeyedSession | undefined): string | undefined {
  for (let at = session; at; at = at.parentSession) {
    const key = fields(at.configuration)[sessionKey];
    if (typeof key === 'string') return key;
  }
  return undefined;
}

/** Whether it is the session that we started; a child may have a copy of its configuration. */
export const isRoot = (session: KeyedSession): boolean =>
  keyOf(session) !== undefined && keyOf(session.parentSession) === undefined;

/**
 * Makes a `disconnect` request leave the debuggee alone, whoever sends it: VS Code asks adapters to end the debuggee when
 * all sessions are stopped, and js-debug then kills the local process with the number that the remote one has.
 * VS Code gives trackers the very object that the adapter gets.
 */
export function keepDebuggee(message: unknown): void {
  const request = fields(message) as { type?: unknown; command?: unknown; arguments?: object };
  if (request.type === 'request' && request.command === 'disconnect')
    request.arguments = { ...request.arguments, terminateDebuggee: false };
}

/** Whether the request ends a session. VS Code sends one also after the adapter has said that the session is over. */
export const asksForEnd = (message: unknown): boolean =>
  fields(message)['type'] === 'request' && ['disconnect', 'terminate'].includes(String(fields(message)['command']));

/** Whether the adapter says that the session is over: the program has ended, or cannot be reached any more. */
export const saysEnd = (message: unknown): boolean =>
  fields(message)['type'] === 'event' && fields(message)['event'] === 'terminated';

/** Whether the request ends a session only to start it again. */
export const isRestart = (message: unknown): boolean =>
  fields(message)['command'] === 'disconnect' && fields(fields(message)['arguments'])['restart'] === true;
