/**
 * One piece of work for all who ask while it runs. It is aborted when the last of them has left; one who leaves gets
 * the reason of its own signal.
 */
export class Shared<T> {
  private running: { control: AbortController; result: Promise<T>; waiting: number } | undefined;
  private readonly work: (signal: AbortSignal) => Promise<T>;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.work = work;
  }

  async get(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const running = (this.running ??= this.start());
    running.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal!.reason as Error);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([running.result, left.promise]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (--running.waiting === 0) this.end(running);
    }
  }

  private start() {
    const control = new AbortController();
    const result = this.work(control.signal);
    result.catch(() => undefined); // all who asked may have left
    return { control, result, waiting: 0 };
  }

  private end(running: NonNullable<typeof this.running>): void {
    running.control.abort(new Error('nobody waits for it any more'));
    if (this.running === running) this.running = undefined;
  }
}
