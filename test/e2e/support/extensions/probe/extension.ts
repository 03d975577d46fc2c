// Listens on a Unix socket, one for each window: PROBE_DIR/<name of the folder that is open>.sock.
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { DapMessage, ProbeEvent, ProbeReply, ProbeRequest, SessionInfo } from '../../probeProtocol.ts';

const events: ProbeEvent[] = [];

const infoOf = (session: vscode.DebugSession): SessionInfo => ({
  id: session.id,
  type: session.type,
  name: session.name,
  configuration: session.configuration,
  ...(session.parentSession ? { parent: session.parentSession.name } : {}),
});

export function activate(context: vscode.ExtensionContext): void {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const directory = process.env['PROBE_DIR'];
  if (!folder || !directory) return;
  Object.assign(globalThis, { probeEvents: events });
  context.subscriptions.push(
    vscode.debug.onDidStartDebugSession(session => events.push({ kind: 'started', session: infoOf(session) })),
    vscode.debug.onDidTerminateDebugSession(session => events.push({ kind: 'ended', session: infoOf(session) })),
    vscode.debug.registerDebugAdapterTrackerFactory('*', { createDebugAdapterTracker: tracker }),
  );
  const path = join(directory, `${basename(folder.uri.fsPath)}.sock`);
  rmSync(path, { force: true }); // a window that has lost its server for a moment has got a new extension host: this one
  createServer(serve).listen(path);
}

/** Records every message of the Debug Adapter Protocol, both ways. */
function tracker(of: vscode.DebugSession): vscode.DebugAdapterTracker {
  const session = infoOf(of);
  return {
    onWillReceiveMessage: (message: DapMessage) => events.push({ kind: 'toAdapter', session, message }),
    onDidSendMessage: (message: DapMessage) => events.push({ kind: 'fromAdapter', session, message }),
    onError: error => events.push({ kind: 'adapterError', session, error: String(error) }),
  };
}

function serve(socket: Socket): void {
  socket.on('error', () => undefined); // the test has ended
  createInterface({ input: socket }).on('line', line => {
    const request = JSON.parse(line) as ProbeRequest;
    void answer(request).then(reply => socket.write(`${JSON.stringify(reply)}\n`));
  });
}

async function answer({ id, code, args }: ProbeRequest): Promise<ProbeReply> {
  try {
    // oxlint-disable-next-line no-eval -- this is what the probe is for
    const run = (0, eval)(`(${code})`) as (...all: unknown[]) => unknown;
    return { id, value: await run(vscode, ...args) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
