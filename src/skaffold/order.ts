import type { SkaffoldEvent } from './event.ts';

/** Oldest first; events of the same moment stay in the order in which they came. */
export const byTime = (a: SkaffoldEvent, b: SkaffoldEvent): number => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0);

/** Enough for the events that can come late or twice around one reconnection. */
const REMEMBERED = 10_000;

/**
 * Tells events apart that come again: Skaffold replays everything to each new subscriber, and a live event can overtake
 * its replay (skaffold: pkg/skaffold/event/event.go). It remembers the last ones by content, and of all before them only
 * the latest time: what is older than that has been seen.
 */
export class Seen {
  private readonly keys = new Map<string, string>();
  private forgottenUntil = '';
  private readonly most: number;

  constructor(most = REMEMBERED) {
    this.most = most;
  }

  /** Whether it comes for the first time. */
  isNew(event: SkaffoldEvent): boolean {
    if (event.time <= this.forgottenUntil) return false;
    const key = JSON.stringify([event.api, event.time, event.kind, event.body]);
    if (this.keys.has(key)) return false;
    this.keys.set(key, event.time);
    if (this.keys.size > this.most) this.forgetOldest();
    return true;
  }

  private forgetOldest(): void {
    const [key, time] = this.keys.entries().next().value!;
    this.keys.delete(key);
    if (time > this.forgottenUntil) this.forgottenUntil = time;
  }
}
