import { sleep } from '../lib/backoff.ts';
import { nextTurn } from '../lib/turn.ts';
import type { OpenStream, SkaffoldClient, StreamEnd } from './client.ts';
import type { SkaffoldEvent } from './event.ts';
import { Waiting } from './order.ts';
import { isUnimplemented } from './problems.ts';

/** When a replay is taken to be over, in milliseconds: Skaffold marks its end in no way. */
const replayLimits = {
  /** Without an event, after the last one. */
  quietMs: 100,
  /** Without any event. */
  emptyMs: 1000,
  /** A Skaffold that never pauses must not keep the rows empty. */
  mostMs: 5000,
};

/** Streams of one connection that end together do so within this time. */
const togetherMs = 500;

/** Reads all streams of a Skaffold once, from the replay to their end. */
export class Connection {
  /** How each stream ended, when all have. */
  readonly ended: Promise<readonly StreamEnd[]>;
  private readonly streams: readonly OpenStream[];
  private readonly onEvent: (event: SkaffoldEvent) => void;
  /** What the replay has brought so far; live events can be among it. */
  private replay: Waiting | undefined;
  private readonly replayEnded = Promise.withResolvers<void>();
  private readonly startedAt = performance.now();
  private lastAt = this.startedAt;
  private readonly check = setInterval(() => void this.look(), replayLimits.quietMs / 2);
  private releasing: Promise<void> | undefined;

  /** `onEvent` gets the replay in the order of time, then what follows as it comes. */
  constructor(client: Pick<SkaffoldClient, 'streams'>, onEvent: (event: SkaffoldEvent) => void) {
    this.onEvent = onEvent;
    this.replay = new Waiting(client.streams.length);
    this.streams = client.streams.map((open, index) => open(event => this.take(index, event)));
    this.ended = this.untilEnded();
  }

  /** One stream that breaks alone would be missed for as long as the others go on, so they end with it. */
  private async untilEnded(): Promise<readonly StreamEnd[]> {
    const all = Promise.all(this.streams.map(({ ended }) => ended));
    const broken = this.streams.map(async ({ ended }) => (isUnimplemented(await ended) ? all : ended));
    await Promise.race(broken);
    const patience = new AbortController();
    await Promise.race([all, sleep(togetherMs, patience.signal)]);
    patience.abort();
    // A replay that others still bring is read to its end first: see `cancel`.
    await Promise.race([all, this.replayEnded.promise]);
    await this.release();
    for (const stream of this.streams) stream.cancel();
    return all;
  }

  /** Ends the streams as soon as Skaffold can bear it, and resolves when they have ended. */
  async cancel(): Promise<void> {
    await this.replayEnded.promise;
    for (const stream of this.streams) stream.cancel();
    await this.ended;
  }

  private take(stream: number, event: SkaffoldEvent): void {
    if (!this.replay) return this.onEvent(event);
    this.replay.push(stream, event);
    this.lastAt = performance.now();
  }

  private isReplayOver(): boolean {
    const now = performance.now();
    const { quietMs, emptyMs, mostMs } = replayLimits;
    if (this.replay?.isEmpty) return now - this.startedAt >= emptyMs;
    return now - this.lastAt >= quietMs || now - this.startedAt >= mostMs;
  }

  /** What has come while this process was busy is taken before the replay counts as over. */
  private async look(): Promise<void> {
    if (!this.isReplayOver()) return;
    await nextTurn();
    if (this.isReplayOver()) await this.release();
  }

  private release(): Promise<void> {
    clearInterval(this.check);
    return (this.releasing ??= this.tellReplay());
  }

  /** What comes meanwhile takes its place in it. */
  private async tellReplay(): Promise<void> {
    for (let count = 1; this.replay; count++) {
      const event = this.replay.shift();
      if (event) this.onEvent(event);
      else this.replay = undefined;
      if (count % EVENTS_PER_TURN === 0) await nextTurn();
    }
    this.replayEnded.resolve();
  }
}

/** So many at a time: a long past must not freeze the host. */
const EVENTS_PER_TURN = 100;
