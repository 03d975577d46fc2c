import { hash } from 'node:crypto';
import type { SkaffoldEvent } from './event.ts';

/** Oldest first; events of the same moment stay in the order in which they came. */
export const byTime = (a: SkaffoldEvent, b: SkaffoldEvent): number => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0);

/** The same for an event and its repetition, short however long the event is. */
export const keyOf = ({ api, time, kind, body, entry }: SkaffoldEvent): string =>
  hash('sha1', JSON.stringify([api, time, kind, body, entry]), 'base64');

/**
 * Tells events apart that come again: Skaffold replays everything to each new subscriber, in an order that is not certain,
 * since live events can overtake the replay (skaffold: pkg/skaffold/event/event.go). One connection brings each event once,
 * so two that are equal are two. Times do not matter: clocks go back.
 */
export class Seen {
  /** How often each event has come, in the connection that had it most often. */
  private before = new Map<string, number>();
  private now = new Map<string, number>();

  /** Another connection begins. */
  again(): void {
    for (const [key, times] of this.before) this.now.set(key, Math.max(times, this.now.get(key) ?? 0));
    this.before = this.now;
    this.now = new Map();
  }

  /** Whether an earlier connection has not brought it. */
  isNew(event: SkaffoldEvent): boolean {
    const key = keyOf(event);
    const times = (this.now.get(key) ?? 0) + 1;
    this.now.set(key, times);
    return times > (this.before.get(key) ?? 0);
  }
}

/** Events that wait, oldest first: each stream has its own nearly in order, so that none of them has to be sorted. */
export class Waiting {
  private readonly streams: readonly { events: SkaffoldEvent[]; next: number }[];

  constructor(streams: number) {
    this.streams = Array.from({ length: streams }, () => ({ events: [], next: 0 }));
  }

  push(stream: number, event: SkaffoldEvent): void {
    const { events, next } = this.streams[stream]!;
    const last = events.at(-1);
    if (last === undefined || last.time <= event.time) events.push(event);
    else events.splice(placeOf(event, events, next), 0, event);
  }

  /** The oldest, which waits no more. */
  shift(): SkaffoldEvent | undefined {
    let oldest: (typeof this.streams)[number] | undefined;
    for (const stream of this.streams) {
      const event = stream.events[stream.next];
      const best = oldest?.events[oldest.next];
      if (event && (!best || event.time < best.time)) oldest = stream;
    }
    return oldest?.events[oldest.next++];
  }

  get isEmpty(): boolean {
    return this.streams.every(({ events, next }) => next === events.length);
  }
}

/** Behind all that are not later; `from` is where to look from. */
function placeOf({ time }: SkaffoldEvent, events: readonly SkaffoldEvent[], from: number): number {
  let [low, high] = [from, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
