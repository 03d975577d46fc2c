import type { Forward, Ready, ReadyOptions } from '../../core/contracts.ts';
import type { Connection } from '../../lib/connection.ts';
import { within } from '../../lib/deadline.ts';
import { onConnection, untilReady } from './attempts.ts';
import { type DapMessage, framed, NoDap, readMessage } from './dapMessages.ts';
import { keepMsFor } from './kept.ts';
import { initializeRefused, type Listener, wrongProtocol } from './problems.ts';

const listener: Listener = {
  name: 'debugpy',
  whenRefused:
    'Look in the log of the container whether debugpy has started, and whether it listens on this port. It stops listening when a client leaves while the program starts: restart the container.',
  whenClosed:
    'debugpy serves one client at a time: end the other session. Else look in the log of the container whether the program has ended.',
  whenSilent:
    'debugpy keeps its port and answers nothing more when its program has been killed, or when a client came and went without a word: restart the container.',
};

/** How long a local client may take for its first request. */
const CLIENT_MS = 10_000;

/**
 * What VS Code says of itself (`rawDebugSession.ts` in microsoft/vscode), since debugpy hears it from the probe: it takes
 * no second `initialize` on a connection (debugpy `adapter/clients.py`).
 */
const INITIALIZE = {
  clientID: 'vscode',
  clientName: 'Visual Studio Code',
  adapterID: 'debugpy',
  pathFormat: 'path',
  linesStartAt1: true,
  columnsStartAt1: true,
  supportsVariableType: true,
  supportsVariablePaging: true,
  supportsRunInTerminalRequest: true,
  supportsProgressReporting: true,
  supportsInvalidatedEvent: true,
  supportsMemoryReferences: true,
  supportsArgsCanBeInterpretedByShell: true,
  supportsMemoryEvent: true,
  supportsStartDebuggingRequest: true,
} as const;

/**
 * Sends `initialize`, reads the answer, and keeps the connection for the debugger, whose `initialize` is answered with
 * the same words. Not another connection: a client that leaves ends debugpy for good while the program is starting
 * (`Session._finalize` in its `adapter/sessions.py`), and may leave it mute later.
 */
export const debugpyReady = (forward: Forward, options: ReadyOptions): Promise<Ready> =>
  untilReady(options, () =>
    onConnection(forward, options.signal, listener, async connection => {
      const said = await initialize(connection, options.signal);
      forward.handOver(connection, { greet: client => greet(client, said), keepMs: keepMsFor(options) });
      return targetOf(said);
    }),
  );

/** What debugpy says up to its answer to `initialize`, which comes last. */
async function initialize(connection: Connection, signal: AbortSignal): Promise<readonly DapMessage[]> {
  connection.write(framed({ seq: 1, type: 'request', command: 'initialize', arguments: INITIALIZE }));
  const said: DapMessage[] = [];
  for (;;) {
    const message = await readMessage(connection, signal).catch((error: unknown) => {
      throw error instanceof NoDap ? wrongProtocol(listener, error.seen) : error;
    });
    said.push(message);
    if (message.type !== 'response' || message.command !== 'initialize') continue;
    if (message.success !== true) throw initializeRefused(listener, message.message);
    return said;
  }
}

/** Answers the debugger's `initialize` in debugpy's place. */
const greet = (client: Connection, said: readonly DapMessage[]): Promise<void> =>
  within(CLIENT_MS, undefined, async signal => {
    const { command, seq } = await readMessage(client, signal);
    if (command !== 'initialize')
      throw new Error('the local client is no debugger: its first request is not "initialize"');
    for (const message of said)
      client.write(framed(message.type === 'response' ? { ...message, request_seq: seq } : message));
  });

/** It names itself and its version in an event for telemetry. */
function targetOf(said: readonly DapMessage[]): Ready {
  const bodies = said.map(({ body }) => body as { output?: unknown; data?: { packageVersion?: unknown } } | undefined);
  const own = bodies.find(body => body?.output === 'debugpy' || body?.output === 'ptvsd');
  const version = own?.data?.packageVersion;
  return typeof version === 'string' ? { target: `debugpy ${version}` } : {};
}
