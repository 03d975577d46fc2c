import { sleep } from '../../lib/backoff.ts';
import { type Found, findSkaffolds } from './findSkaffolds.ts';

/** Skaffolds that were not there at the last look, and those that are not there any more. */
export type FoundChange = Readonly<{ appeared: readonly Found[]; gone: readonly Found[] }>;

export interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Between two looks. */
  readonly everyMs?: number;
  readonly find?: () => Promise<readonly Found[]>;
}

/** Looks for running Skaffolds again and again, and tells what has changed; first those that are there. */
export async function* watchSkaffolds({
  signal,
  everyMs = 3000,
  find = findSkaffolds,
}: WatchOptions): AsyncGenerator<FoundChange, void, void> {
  let known = new Map<string, Found>();
  for (; !signal.aborted; await sleep(everyMs, signal)) {
    const now = new Map((await find()).map(one => [keyOf(one), one]));
    if (signal.aborted) return;
    const appeared = [...now].filter(([key]) => !known.has(key)).map(([, one]) => one);
    const gone = [...known].filter(([key]) => !now.has(key)).map(([, one]) => one);
    known = now;
    if (appeared.length > 0 || gone.length > 0) yield { appeared, gone };
  }
}

/** The number of a process can come again, and its port be known later than it. */
const keyOf = ({ pid, port }: Found): string => `${pid} ${port}`;
