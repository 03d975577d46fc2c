import type { ProcessEnd } from '../../core/runs.ts';
import { sleep } from '../../lib/backoff.ts';
import { membersOf, portsOf } from '../discovery/sockets.ts';
import { isListening } from '../listening.ts';
import type { PortWords } from './portWords.ts';

const pollMs = 50;

/** Waits until the RPC port listens, Skaffold has ended, or `signal` aborts. */
export async function untilListening(
  group: number,
  words: PortWords,
  ended: Promise<ProcessEnd>,
  signal: AbortSignal,
): Promise<void> {
  const end = new AbortController();
  void ended.then(() => end.abort());
  const over = AbortSignal.any([end.signal, signal]);
  while (!over.aborted && !(await isTheirs(words.port, group))) await sleep(pollMs, over);
  if (words.isTaken) await ended; // whoever listens there, it is not Skaffold
}

/** Somebody else may have taken the port meanwhile: where the system tells, it has to be one of the group's. */
async function isTheirs(port: number, group: number): Promise<boolean> {
  if (!(await isListening(port))) return false;
  return process.platform !== 'linux' || (await portsOf(await membersOf(group))).includes(port);
}
