import { stripVTControlCharacters } from 'node:util';
import type { Drain } from '../core/skaffold.ts';
import type { StreamEnd } from './client.ts';
import { numberOf, textOf } from '../proto/fields.ts';
import type { SkaffoldEvent } from './event.ts';
import { isUnimplemented } from './problems.ts';

/** Watches for what tells that Skaffold is about to end, and counts what comes from then on. */
export class DrainMeter {
  private beganAt: number | undefined;
  private events = 0;
  private isAsked = false;
  /** Time of the event that announced the end. */
  private announced: string | undefined;

  /** The stop was asked for: what comes from now on belongs to the drain. */
  begin(): void {
    this.isAsked = true;
    this.beganAt ??= performance.now();
  }

  count(event: SkaffoldEvent): void {
    if (isLastWord(event)) {
      this.announced ??= event.time;
      this.beganAt ??= performance.now();
    } else if (this.announced !== undefined && event.time > this.announced && isStart(event)) this.goesOn();
    if (this.beganAt !== undefined) this.events++;
  }

  /** It did not end, with `--keep-running-on-failure`, or it is another Skaffold. */
  private goesOn(): void {
    this.announced = undefined;
    if (this.isAsked) return;
    this.beganAt = undefined;
    this.events = 0;
  }

  /** The outcome; `ends` is how the streams ended, absent when they still had not. */
  result(ends: readonly StreamEnd[] | undefined): Drain {
    const ms = this.beganAt === undefined ? 0 : Math.round(performance.now() - this.beganAt);
    return { events: this.events, ms, outcome: this.outcome(ends) };
  }

  private outcome(ends: readonly StreamEnd[] | undefined): Drain['outcome'] {
    if (!ends) return 'timed-out';
    const haveEndedWell = ends.filter(end => !isUnimplemented(end)).every(({ code }) => code === 0);
    return this.announced !== undefined || haveEndedWell ? 'complete' : 'connection-lost';
  }
}

/**
 * Skaffold cuts its streams also at a clean end (status 14, as when it is killed), so only what it says before tells one from
 * the other: the clean-up of what it deployed, a first iteration that failed, a termination.
 */
function isLastWord({ api, kind, body }: SkaffoldEvent): boolean {
  if (kind === 'terminationEvent') return true;
  if (kind === 'skaffoldLogEvent') return isCleanUp(textOf(body, 'task_id'), textOf(body, 'message'));
  if (textOf(body, 'status') !== 'Failed') return false;
  if (api === 'v1') return kind === 'devLoopEvent' && numberOf(body, 'iteration') === 0;
  return kind === 'taskEvent' && textOf(body, 'task') === 'DevLoop' && numberOf(body, 'iteration') <= 1;
}

/** Its words, in colour if its terminal has some (skaffold: pkg/skaffold/runner/timings.go); a build has a task of its own. */
export const isCleanUp = (task: string, message: string): boolean =>
  task.startsWith('DevLoop-') && /^(Cleaning up|Pruning images)\.\.\.\s*$/.test(stripVTControlCharacters(message));

/** A run or an iteration begins. */
const isStart = ({ kind, body }: SkaffoldEvent): boolean =>
  kind === 'metaEvent' || (kind === 'devLoopEvent' && textOf(body, 'status') === 'In Progress');
