import { failureOf } from '../../core/errors.ts';
import type { DebugEvent, SourceState } from '../../core/model.ts';
import { sleep } from '../../lib/backoff.ts';
import { ApiError } from '../access.ts';
import { SilenceError } from './body.ts';
import { type PodSource, type PodSourceOptions, watchLimits } from './options.ts';
import { Pace } from './pace.ts';
import { PodReader } from './podReader.ts';
import {
  EmptyWatchError,
  hasExpired,
  isConnectionError,
  isForbidden,
  isOfTheMoment,
  isSameLogin,
  watchProblem,
} from './problems.ts';

/**
 * Lists and watches pods. The first complete list is told as a `snapshot`; later lists, after a lost connection or an
 * expired version, only as what changed. Ends when `signal` aborts, not before: where a right is missing it says `stopped`,
 * asks again (every few seconds, if the right was there before), and goes on when it is there.
 *
 * An iterator and not a callback: only events of debuggable containers come out of it, so its price does not show
 * beside that of reading the connection, and a slow consumer slows the reading instead of filling the memory.
 */
export function podSource(options: PodSourceOptions): PodSource {
  return signal => untilAborted(new PodWatch(options, signal).events(), signal);
}

type Events<Result = void> = AsyncGenerator<DebugEvent, Result, void>;

async function* untilAborted(events: Events, signal: AbortSignal): Events {
  if (signal.aborted) return;
  for await (const event of events) {
    if (signal.aborted) return;
    yield event;
  }
}

/** API servers refuse rights that they have not read yet while they start: a watch that worked is refused so often before it says so. */
const refusalsBorne = 3;

/** Keeps a reader reading: waits between its tries, and says how it goes. */
class PodWatch {
  private readonly options: PodSourceOptions;
  private readonly signal: AbortSignal;
  private readonly reader: PodReader;
  private readonly pace: Pace;
  private refusals = 0;
  private state: SourceState['kind'] | undefined;

  constructor(options: PodSourceOptions, signal: AbortSignal) {
    this.options = options;
    this.signal = signal;
    this.reader = new PodReader(options, signal);
    this.pace = new Pace(options.limits?.backoff ?? watchLimits.backoff);
  }

  async *events(): Events {
    yield* this.say({ kind: 'connecting' });
    while (!this.signal.aborted) {
      const error = yield* this.attempt();
      if (this.signal.aborted) return;
      const waitMs = this.waitAfter(error);
      if (this.lacksRight(error)) yield* this.say({ kind: 'stopped', failure: this.failure(error) });
      else if (waitMs > 0)
        yield* this.say({ kind: 'retrying', failure: this.failure(error), retryMs: Math.round(waitMs) });
      await sleep(waitMs, this.signal);
    }
  }

  /** One try; returns what ended it. */
  private async *attempt(): Events<unknown> {
    try {
      for await (const event of this.reader.read())
        if (event.kind === 'source') yield* this.say(event.state);
        else yield event;
      return undefined;
    } catch (error) {
      return error;
    }
  }

  private lacksRight(error: unknown): boolean {
    if (this.reader.livedMs > 0) this.refusals = 0;
    return isForbidden(error) && (!this.reader.hasWatched || ++this.refusals > refusalsBorne);
  }

  private waitAfter(error: unknown): number {
    const { hasHeard: data, livedMs } = this.reader;
    const expired = hasExpired(error);
    // Silence of a watch that was open is what a quiet cluster without bookmarks looks like, too.
    const normal = error === undefined || expired || (error instanceof SilenceError && livedMs > 0);
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
    // A right that was never there will hardly come within seconds, and each refusal is in the server's audit log.
    const isLost = isForbidden(error) && this.reader.hasWatched;
    const cheap = isConnectionError(error) || isLost || isSameLogin(error);
    const turns = expired && error instanceof ApiError;
    const waitMs = this.pace.after({ data, livedMs, normal, cheap, turns, retryAfterMs });
    if (expired) this.reader.listAgain();
    else if (this.pace.failures > 1)
      if (cheap || isOfTheMoment(error)) this.reader.doubt();
      else this.reader.listAgain();
    return waitMs;
  }

  private failure(error: unknown) {
    return failureOf(watchProblem(error ?? new EmptyWatchError(false), this.options.api.access, this.options.scope));
  }

  /** A state is told when it changes, and each wait that is no stop. */
  private *say(state: SourceState): Iterable<DebugEvent> {
    if (state.kind === this.state && (state.kind === 'watching' || state.kind === 'stopped')) return;
    this.state = state.kind;
    yield { kind: 'source', source: this.options.source, state };
  }
}
