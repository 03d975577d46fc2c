/** Thrown by `within` when the time is over; the caller knows what was being waited for and says so. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly limitMs: number;

  /** Parts of the extension that are loaded when they are needed have a class of their own of this name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'DeadlineError';
  }

  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

/**
 * Runs work with a time limit. The work's own signal aborts when the limit passes or `signal` aborts, so it can clean
 * up; the result of work that ends late is dropped.
 *
 * Throws `DeadlineError` at the limit, and the reason of `signal` when that aborts.
 */
export async function within<T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  const stop = () => control.abort(signal?.reason);
  const timer = setTimeout(() => control.abort(new DeadlineError(limitMs)), limitMs);
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(control.signal.reason as Error);
    if (control.signal.aborted) fail();
    else control.signal.addEventListener('abort', fail, { once: true });
  });
  try {
    const running = work(control.signal);
    running.catch(() => undefined); // ends after the limit: its error has no listener any more
    return await Promise.race([running, aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** A time limit that can be set anew. */
export class Patience {
  private readonly onOver: (error: DeadlineError) => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(onOver: (error: DeadlineError) => void) {
    this.onOver = onOver;
  }

  /** From now on so long. What has come while this process was busy is still heard before the time counts as over. */
  waitFor(limitMs: number): void {
    this.stop();
    const timer = setTimeout(() => setImmediate(over), limitMs);
    const over = () => {
      if (this.timer === timer) this.onOver(new DeadlineError(limitMs));
    };
    this.timer = timer;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
