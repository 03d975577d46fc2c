import type { Drain } from '../core/skaffold.ts';
import type { StreamEnd } from './client.ts';
import { numberOf, type SkaffoldEvent, textOf } from './event.ts';

/** Watches for what tells that Skaffold is about to end, and counts what comes from then on. */
export class DrainMeter {
  private beganAt: number | undefined;
  private events = 0;
  private isAnnounced = false;

  /** The stop was asked for: what comes from now on belongs to the drain. */
  begin(): void {
    this.beganAt ??= performance.now();
  }

  count(event: SkaffoldEvent): void {
    if (isLastWord(event)) {
      this.isAnnounced = true;
      this.begin();
    }
    if (this.beganAt !== undefined) this.events++;
  }

  /** The outcome; `ends` is how the streams ended, absent when they still had not. */
  result(ends: readonly StreamEnd[] | undefined): Drain {
    const ms = this.beganAt === undefined ? 0 : Math.round(performance.now() - this.beganAt);
    return { events: this.events, ms, outcome: this.outcome(ends) };
  }

  private outcome(ends: readonly StreamEnd[] | undefined): Drain['outcome'] {
    if (!ends) return 'timed-out';
    return this.isAnnounced || ends.some(({ code }) => code === 0) ? 'complete' : 'connection-lost';
  }
}

/**
 * Skaffold cuts its streams also at a clean end (status 14, as when it is killed), so only what it says before tells one from
 * the other: the clean-up of what it deployed, a first iteration that failed, a termination.
 */
function isLastWord({ api, kind, body }: SkaffoldEvent): boolean {
  if (kind === 'terminationEvent') return true;
  if (kind === 'skaffoldLogEvent') return textOf(body, 'message').startsWith('Cleaning up');
  if (textOf(body, 'status') !== 'Failed') return false;
  if (api === 'v1') return kind === 'devLoopEvent' && numberOf(body, 'iteration') === 0;
  return kind === 'taskEvent' && textOf(body, 'task') === 'DevLoop' && numberOf(body, 'iteration') <= 1;
}
