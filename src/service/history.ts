import { Emitter } from '../lib/emitter.ts';
import type { Item } from './wire.ts';

/** How much is kept for readers. */
export type HistoryLimits = Readonly<{
  /** A new reader gets so many of the last events. */
  replayed: number;
  /** One that is further behind than this is cut. */
  kept: number;
  /** The kept events have so many bytes at most, the replayed ones half of them. */
  bytes: number;
}>;

export const historyLimits: HistoryLimits = Object.freeze({ replayed: 10_000, kept: 20_000, bytes: 64 << 20 });

/** What has been let go is taken out of the array in steps, so that not each new event moves all the others. */
const STEP = 1000;

/** So much is handed out at a time: a long replay must not keep others waiting, nor fill the memory of one that does not read. */
export const BATCH = 64;
const BATCH_BYTES = 256 << 10;

/**
 * The last events, in order, once for all readers: each of them is only a place in it, so that memory is bounded however many
 * there are and however slow they are.
 */
export class History {
  private readonly added = new Emitter<void>();
  /** Events were added within the last turn of the event loop: many come at once. */
  readonly onDidAdd = this.added.event;

  private readonly events: Readonly<{ item: Item; bytes: number }>[] = [];
  /** Number of the first in the array; of the first that is kept; of the first that new readers get; of the next to come. */
  private base = 0;
  private first = 0;
  private replayFrom = 0;
  private end = 0;
  private keptBytes = 0;
  private replayedBytes = 0;
  /** What was handed out last. */
  private batch: Readonly<{ next: number; end: number; items: readonly Item[] }> = { next: -1, end: -1, items: [] };
  private firing: NodeJS.Immediate | undefined;
  private readonly limits: HistoryLimits;

  constructor(limits: HistoryLimits = historyLimits) {
    this.limits = limits;
  }

  /** Number that the next event will have. */
  get next(): number {
    return this.end;
  }

  add(item: Item): void {
    const bytes = item.line.length + item.message.length;
    this.events.push({ item, bytes });
    this.end++;
    this.keptBytes += bytes;
    this.replayedBytes += bytes;
    this.shorten();
    this.firing ??= setImmediate(() => {
      this.firing = undefined;
      this.added.fire();
    });
  }

  /** Number of the first event that a new reader gets. */
  get begin(): number {
    return this.replayFrom;
  }

  /** Whether an event is kept, or still to come. */
  has(number: number): boolean {
    return number >= this.first;
  }

  /** Events from a number on: a batch, at least one if there is one. They have to be kept. */
  from(next: number): readonly Item[] {
    // Those who keep up ask for the same one, one after the other.
    if (this.batch.next !== next || this.batch.end !== this.end)
      this.batch = { next, end: this.end, items: this.batchFrom(next) };
    return this.batch.items;
  }

  private batchFrom(next: number): readonly Item[] {
    const batch: Item[] = [];
    let bytes = 0;
    for (let at = next - this.base; at < this.events.length && batch.length < BATCH && bytes < BATCH_BYTES; at++) {
      const event = this.events[at]!;
      batch.push(event.item);
      bytes += event.bytes;
    }
    return batch;
  }

  private shorten(): void {
    const { replayed, kept, bytes } = this.limits;
    while (this.end - this.replayFrom > replayed || this.replayedBytes > bytes / 2)
      this.replayedBytes -= this.events[this.replayFrom++ - this.base]!.bytes;
    while (this.end - this.first > kept || this.keptBytes > bytes)
      this.keptBytes -= this.events[this.first++ - this.base]!.bytes;
    if (this.first - this.base < STEP) return;
    this.events.splice(0, this.first - this.base);
    this.base = this.first;
  }
}
