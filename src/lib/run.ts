import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { sleep } from './backoff.ts';
import type { Command, Environment } from './command.ts';

/** Longest output that is kept of each kind; what goes beyond is read and dropped. */
const MOST_BYTES = 1024 * 1024;
/** How long output is waited for after the end: a process that was left behind may hold it open for ever. */
const LINGER_MS = 500;
/** Between asking a process to end and ending it. */
const GRACE_MS = 2_000;

/** How a process ended. */
export interface Ended {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program without input and collects its output. It leads a process group of its own, away from any terminal,
 * and that group is ended when `signal` aborts. Throws when it cannot be started, and the reason of `signal`.
 */
export async function run(command: Command, env: Environment, signal: AbortSignal): Promise<Ended> {
  signal.throwIfAborted();
  const child = spawn(command.file, command.args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: command.isVerbatim,
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const closed = once(child, 'close').catch(() => undefined); // an error is thrown by the wait for the end
  try {
    const [code] = (await once(child, 'exit', { signal })) as [number | null];
    await Promise.race([closed, sleep(LINGER_MS)]);
    return { exitCode: code ?? undefined, stdout: stdout(), stderr: stderr() };
  } catch (error) {
    if (!signal.aborted) throw error;
    endGroup(child.pid);
    throw signal.reason;
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Reads to the end; gives what has come so far. */
function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < MOST_BYTES) chunks.push(chunk.subarray(0, MOST_BYTES - bytes));
    bytes += chunk.length;
  });
  stream.on('error', () => undefined);
  return () => Buffer.concat(chunks).toString('utf8');
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  if (signalGroup(pid, 'SIGTERM')) setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS).unref();
}

/** Whether the group was still there. */
function signalGroup(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}
