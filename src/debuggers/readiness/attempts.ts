import type { Forward, ReadyOptions } from '../../core/contracts.ts';
import { rawText, UserError } from '../../core/errors.ts';
import { backoffMs, sleep } from '../../lib/backoff.ts';
import type { Connection } from '../../lib/connection.ts';
import { closedAtOnce, connectionLost, type Listener, notListening, silent } from './problems.ts';
import { PeerClosed } from './stream.ts';

/** A failure that may pass; `failure` is what to tell when it does not within `tries` attempts, or in the time given. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly failure: UserError;
  readonly tries: number;

  constructor(failure: UserError, tries = Infinity) {
    super(failure.message);
    this.failure = failure;
    this.tries = tries;
  }
}

/** How often a listener may end a connection without an answer before that is taken for its last word. */
export const CLOSED_TRIES = 3;

/** A listener that is there answers within this time, in milliseconds; shorter silence tells nothing. */
const ANSWER_MS = 5_000;

const WAIT = { firstMs: 150, mostMs: 1000 };

/**
 * Tries until an attempt succeeds, and says what it waits for. Throws what an attempt throws; at the end of the time, the failure of the last one,
 * unless the end has cut that short; when `signal` says itself why it ends (a `UserError`), that.
 */
export async function untilReady<T>({ signal, onWait }: ReadyOptions, attempt: () => Promise<T>): Promise<T> {
  let last: UserError | undefined;
  let same = 0;
  for (let tries = 0; !signal.aborted; tries++) {
    const begunMs = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      if (signal.aborted && last && performance.now() - begunMs < ANSWER_MS) break;
      if (error.failure.code !== last?.code && !signal.aborted) onWait?.(error.failure);
      same = error.failure.code === last?.code ? same + 1 : 1;
      last = error.failure;
      if (same >= error.tries) throw last;
    }
    await sleep(backoffMs(tries, WAIT), signal);
  }
  throw signal.reason instanceof UserError || !last ? (signal.reason as Error) : last;
}

/**
 * Works on a connection of its own to the pod's port. When that fails the connection is closed and the error is sorted:
 * `UserError` is final, everything that may pass is a `NotYet`.
 */
export async function onConnection<T>(
  forward: Forward,
  signal: AbortSignal,
  listener: Listener,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined;
  try {
    connection = await forward.dial(signal);
    connection.on('error', () => undefined); // also told to whoever waits on it; this one keeps late ones from harm
    return await work(connection);
  } catch (error) {
    connection?.destroy();
    if (error instanceof UserError || error instanceof NotYet) throw error;
    if (signal.aborted) throw new NotYet(connection ? silent(listener, error) : connectionLost(listener, error));
    if (isRefused(error)) throw new NotYet(notListening(listener, error));
    if (isClosed(error)) throw new NotYet(closedAtOnce(listener, error), CLOSED_TRIES);
    throw new NotYet(connectionLost(listener, error));
  }
}

/** Whether nothing listens there. containerd and Node say it in their own words. */
export const isRefused = (error: unknown) => /connection refused|ECONNREFUSED/i.test(rawText(error));

const isClosed = (error: unknown) =>
  error instanceof PeerClosed ||
  /connection reset|ECONNRESET|EPIPE|socket hang up|write after end/i.test(rawText(error));
