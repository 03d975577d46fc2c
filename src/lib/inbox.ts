/** Takes values as fast as they come and hands them out in order, to one reader, who may be slower. */
export class Inbox<T> {
  private waiting: T[] = [];
  private hasEnded = false;
  private wake = () => {};

  push(value: T): void {
    this.waiting.push(value);
    this.wake();
  }

  /** No more will come; what is here is still read. */
  end(): void {
    this.hasEnded = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      const values = this.waiting;
      this.waiting = [];
      yield* values;
      if (this.waiting.length > 0) continue;
      if (this.hasEnded) return;
      await new Promise<void>(resolve => (this.wake = resolve));
    }
  }
}
