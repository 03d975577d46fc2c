import type { Forward } from '../core/contracts.ts';
import { rawText } from '../core/errors.ts';
import { sleep } from '../lib/backoff.ts';
import { type Call, delveCalls } from './delveCalls.ts';
import { isRefused } from './readiness/attempts.ts';

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
    await release(delveCalls(connection, signal), signal);
  } finally {
    connection.destroy();
  }
}

async function release(call: Call, signal: AbortSignal): Promise<void> {
  await call('Command', { name: 'halt' }); // a running program's breakpoints cannot be touched
  const { Breakpoints: breakpoints } = await call('ListBreakpoints', { All: false });
  for (const { id, name } of (breakpoints ?? []) as { id: number; name: string }[])
    // Go writes an empty list as null
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
