import { type BackoffLimits, backoffMs } from '../../lib/backoff.ts';

/** How one try of a watch went. */
export interface Try {
  /** Whether events or bookmarks came; an opened connection and an ERROR event are not data. */
  readonly data: boolean;
  readonly livedMs: number;
  /** A normal end: the server ended the watch, its version expired, or it was quiet for long. */
  readonly normal: boolean;
  /** A try that costs the server nothing: nobody answered, or a starting server did not know its rights yet. */
  readonly cheap?: boolean;
  /** The server had forgotten the version, so the next try asks for something else: a list. */
  readonly turns?: boolean;
  /** What the server asks for. */
  readonly retryAfterMs?: number | undefined;
}

/** Longest wait after a cheap try: whoever looks at the view wants to see that the cluster is back. */
const MOST_AFTER_CHEAP_MS = 3_000;

/**
 * Decides how long to wait before the next try. Waits grow with each try and start anew only after one that brought
 * data and outlived the wait before it: a server that sends one event and closes, again and again, is asked less and less.
 */
export class Pace {
  private readonly limits: BackoffLimits;
  private readonly random: () => number;
  private tries = 0;
  private lastWaitMs = 0;
  /** One normal end costs no wait; the next one does, unless there was a healthy stretch in between. */
  private free = true;
  /** Whether the last try has turned already: to turn again is no progress. */
  private turned = false;

  constructor(limits: BackoffLimits, random = Math.random) {
    this.limits = limits;
    this.random = random;
  }

  /** Tries in a row that were not healthy. */
  get failures(): number {
    return this.tries;
  }

  /** The wait after a try, in milliseconds; 0 for none. */
  after({ data, livedMs, normal, cheap = false, turns = false, retryAfterMs = 0 }: Try): number {
    if (data && livedMs >= Math.max(this.lastWaitMs, this.limits.firstMs)) {
      this.tries = 0;
      this.free = true;
    }
    const isFirstTurn = turns && !this.turned;
    this.turned = turns;
    if (isFirstTurn) return (this.lastWaitMs = 0);
    if (normal && (this.free || livedMs >= this.limits.mostMs)) {
      this.free = false;
      this.lastWaitMs = 0;
      return 0;
    }
    const waitMs = backoffMs(this.tries++, this.limits, this.random);
    this.lastWaitMs = Math.max(retryAfterMs, cheap ? Math.min(waitMs, MOST_AFTER_CHEAP_MS) : waitMs);
    return this.lastWaitMs;
  }
}
