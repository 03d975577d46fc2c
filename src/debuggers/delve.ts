import type { Forward } from '../core/contracts.ts';
import { rawText } from '../core/errors.ts';
import { abortable } from '../lib/abortable.ts';
import { sleep } from '../lib/backoff.ts';
import type { Connection } from '../lib/connection.ts';
import { LineSplitter, utf8Of } from '../lib/lines.ts';
import { isRefused } from './readiness/attempts.ts';

type Call = (method: string, params: object) => Promise<Readonly<Record<string, unknown>>>;

/** The names that dlv gives to breakpoints of the Debug Adapter Protocol (Delve `service/dap/server.go`). */
const DAP_BREAKPOINT = /^(?:sourceBp|functionBreakpoint|instructionBreakpoint)\b/;
/** What dlv answers when the program has ended (Delve `pkg/proc/target.go`, `ErrProcessExited`). */
const PROGRAM_ENDED = /Process \d+ has exited with status/;
const POLL_MS = 50;

/**
 * Takes away what a debugger leaves behind in a dlv that serves several: its breakpoints, at which the program would stop
 * with nobody there, and the stop itself (Delve `service/dap/server.go`, `onDisconnectRequest`). By dlv's JSON-RPC, which
 * answers on the same port. Where dlv or the program has ended, there is nothing to take away. Throws what the connection
 * throws, and what dlv answers.
 */
export async function releaseDlv(forward: Forward, signal: AbortSignal): Promise<void> {
  try {
    await releaseOver(forward, signal);
  } catch (error) {
    if (!isRefused(error) && !PROGRAM_ENDED.test(rawText(error))) throw error;
  }
}

async function releaseOver(forward: Forward, signal: AbortSignal): Promise<void> {
  const connection = await forward.dial(signal);
  connection.on('error', () => undefined); // calls are told
  try {
    await release(caller(connection, signal), signal);
  } finally {
    connection.destroy();
  }
}

async function release(call: Call, signal: AbortSignal): Promise<void> {
  await call('Command', { name: 'halt' }); // a running program's breakpoints cannot be touched
  const { Breakpoints: breakpoints } = await call('ListBreakpoints', { All: false });
  for (const { id, name } of breakpoints as { id: number; name: string }[])
    if (DAP_BREAKPOINT.test(name)) await call('ClearBreakpoint', { Id: id });
  // Answered at the next stop or at the program's end, so the state tells whether it runs.
  await Promise.race([call('Command', { name: 'continue' }), runs(call, signal)]);
}

async function runs(call: Call, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { State: state } = await call('State', { NonBlocking: true });
    if ((state as { Running: boolean }).Running) return;
    await sleep(POLL_MS, signal);
  }
}

/** Calls methods of dlv's JSON-RPC server, version 2 of its API (Delve `service/rpccommon`). */
function caller(connection: Connection, signal: AbortSignal): Call {
  const waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  const lines = new LineSplitter();
  const take = (line: string) => {
    const { id, result, error } = JSON.parse(utf8Of(line)) as { id: number; result: never; error: unknown };
    if (error) waiting.get(id)?.reject(new Error(`dlv: ${JSON.stringify(error)}`));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  };
  connection.on('data', (chunk: Buffer) => {
    try {
      lines.push(chunk).forEach(take);
    } catch (error) {
      connection.destroy(new Error('this is not dlv', { cause: error }));
    }
  });
  connection.on('close', () => {
    const gone = connection.errored ?? new Error('dlv closed the connection');
    for (const { reject } of waiting.values()) reject(gone);
  });
  let last = 0;
  return (method, params) => {
    const id = ++last;
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      connection.write(`${JSON.stringify({ id, method: `RPCServer.${method}`, params: [params] })}\n`);
    });
    return abortable(answer, signal);
  };
}
