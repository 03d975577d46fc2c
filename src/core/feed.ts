import type { Disposable } from '../lib/disposable.ts';
import { nextTurn } from '../lib/turn.ts';
import type { DebugEvent } from './model.ts';
import type { Store } from './store.ts';

/** A stream of events that ends when `signal` aborts. */
export type Source = (signal: AbortSignal) => AsyncIterable<DebugEvent>;

/** So many events at a time: a long replay that is all there at once must not freeze the host. */
const EVENTS_PER_TURN = 100;

/** Pours one source into the store, from construction until disposal; nothing comes after that. */
export class Feed implements Disposable {
  private readonly stop = new AbortController();
  /** Settles when the source has ended; never rejects. */
  readonly done: Promise<void>;

  constructor(source: Source, store: Store, onFailed: (error: unknown) => void) {
    this.done = this.pour(source, store).catch((error: unknown) => {
      if (!this.stop.signal.aborted) onFailed(error);
    });
  }

  dispose(): void {
    this.stop.abort();
  }

  private async pour(source: Source, store: Store): Promise<void> {
    let count = 0;
    for await (const event of source(this.stop.signal)) {
      if (this.stop.signal.aborted) return;
      store.apply(event);
      if (++count % EVENTS_PER_TURN === 0) await nextTurn();
    }
  }
}
