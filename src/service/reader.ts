import { nextTurn } from '../lib/turn.ts';
import type { History } from './history.ts';
import type { Batches } from './running.ts';
import type { Item } from './wire.ts';

/** Where the events of one reader go. */
export interface Sink {
  /** False when nothing more should be written before `onDrain` has called. */
  write(items: readonly Item[]): boolean;
  onDrain(listener: () => void): void;
  /** All has been delivered: the stream ends well. */
  end(): void;
  /** The stream ends here, and this is why. */
  cut(reason: string): void;
}

/** How long a reader that was cut may take to read why, in milliseconds; what it holds meanwhile is bounded. */
export const LAST_WORD_MS = 30_000;

/** One reader: gets the replay, then what comes, each event once and in order, at the pace at which it reads. */
export class Reader {
  /** Settles when it has been ended, has been cut or has gone; never rejects. */
  readonly done: Promise<void>;
  private readonly history: History;
  private readonly sink: Sink;
  private next: number;
  /** Number before which it ends; undefined while the service goes on. */
  private last: number | undefined;
  private state: 'reading' | 'gone' | 'too slow' = 'reading';
  /** Nothing more is written for the moment. */
  private isFull = false;
  private wake = () => {};

  /** `before` is what it gets before the replay. */
  constructor(history: History, sink: Sink, before: Batches) {
    this.history = history;
    this.sink = sink;
    this.next = history.begin;
    this.done = this.run(before);
  }

  /** Delivers what is there at this moment, then ends the stream. */
  finish(): void {
    this.last ??= this.history.next;
    this.wake();
  }

  /** The client has gone. */
  leave(): void {
    this.state = 'gone';
    this.wake();
  }

  /** There is more. One that is too far behind does not read any more. */
  look(): void {
    if (this.state === 'reading' && !this.history.has(this.next)) this.state = 'too slow';
    this.wake();
  }

  private async run(before: Batches): Promise<void> {
    const changed = this.history.onDidAdd(() => this.look());
    try {
      for (const items of before) await this.put(items);
      while (this.state === 'reading' && !(await this.step())) await nextTurn();
    } finally {
      changed.dispose();
    }
    if (this.state === 'reading') this.sink.end();
    if (this.state === 'too slow')
      this.sink.cut(
        'This reader is too far behind: it did not read, or not fast enough. Connect again to get the replay.',
      );
  }

  /** Whether that was all. */
  private async step(): Promise<boolean> {
    if (!this.history.has(this.next)) {
      this.state = 'too slow';
      return true;
    }
    const items = this.history.from(this.next);
    const isWhole = this.last === undefined || this.last - this.next >= items.length;
    const upToLast = isWhole ? items : items.slice(0, Math.max(0, this.last! - this.next));
    this.next += upToLast.length;
    if (upToLast.length > 0) await this.put(upToLast);
    else if (this.last !== undefined) return true;
    else await this.change();
    return false;
  }

  private async put(items: readonly Item[]): Promise<void> {
    if (this.state !== 'reading' || this.sink.write(items)) return;
    this.isFull = true;
    this.sink.onDrain(() => {
      this.isFull = false;
      this.wake();
    });
    while (this.isFull && this.state === 'reading') await this.change();
  }

  /** Only one waits at a time: the loop of this reader. */
  private change(): Promise<void> {
    return new Promise(resolve => (this.wake = resolve));
  }
}
