import type { Source } from '../core/feed.ts';
import type { DebugEvent, SourceName } from '../core/model.ts';
import { failureOf, type UserError } from '../core/errors.ts';
import type { Drain } from '../core/skaffold.ts';
import { aborted } from '../lib/abortable.ts';
import { backoffMs, sleep } from '../lib/backoff.ts';
import { Inbox } from '../lib/inbox.ts';
import { type SkaffoldClient, skaffoldClient, type StreamEnd } from './client.ts';
import { Connection } from './connection.ts';
import { DrainMeter } from './drain.ts';
import type { SkaffoldEvent } from './event.ts';
import { Seen } from './order.ts';
import { isListening } from './listening.ts';
import { isUnimplemented, lostSkaffold, noGrpc, noSkaffold, otherServices } from './problems.ts';
import { skaffoldSourceName } from './sourceName.ts';
import { tellingOf } from './telling.ts';

/** How a running Skaffold is followed. */
export interface FollowOptions {
  /** Its RPC port on this machine (`--rpc-port`). */
  readonly port: number;
  /** Aborts when the end of Skaffold was asked for: what it tells from then on is counted, for as long as it takes. */
  readonly ending?: AbortSignal;
  /** Aborts when nobody wants more: what still comes within `drainMs` is told, then the source ends. */
  readonly stop: AbortSignal;
  readonly drainMs: number;
  /** Whether its process is known to have ended by itself and without an error; asked at the end. */
  readonly hasEndedWell?: () => boolean;
  /** How long a Skaffold that does not answer is waited for, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Tells everything that a running Skaffold says, each event once: the replay of each connection in the order of time, then
 * live. Connects again when a connection breaks; when Skaffold is gone, or `stop` aborts, it tells of the drain and ends.
 */
export const followSkaffold =
  (options: FollowOptions): Source =>
  signal =>
    new Follower(options, signal).events();

class Follower {
  private readonly options: FollowOptions;
  private readonly source: SourceName;
  private readonly signal: AbortSignal;
  private readonly stopSignal: AbortSignal;
  private readonly inbox = new Inbox<DebugEvent>();
  private readonly seen = new Seen();
  private readonly meter = new DrainMeter();

  constructor(options: FollowOptions, signal: AbortSignal) {
    this.options = options;
    this.source = skaffoldSourceName(options.port);
    this.signal = signal;
    this.stopSignal = AbortSignal.any([signal, options.stop]);
  }

  async *events(): AsyncGenerator<DebugEvent, void, void> {
    const running = this.run().finally(() => this.inbox.end());
    running.catch(() => undefined); // thrown again below, once all that came has been told
    yield* this.inbox;
    await running;
  }

  private async run(): Promise<void> {
    this.say({ kind: 'connecting' });
    this.options.ending?.addEventListener('abort', () => this.end(), { once: true });
    if (this.options.ending?.aborted) this.end();
    const client = await skaffoldClient(this.options.port);
    try {
      await this.readToTheEnd(client);
    } finally {
      client.close();
    }
  }

  private async readToTheEnd(client: SkaffoldClient): Promise<void> {
    const { port, patienceMs = 2000 } = this.options;
    let last: Drain | undefined; // taken when the streams ended, not when Skaffold turned out to be gone
    let attempt = 0;
    // One that was there and is gone is not waited for as long as one that begins.
    while (await this.isThere(client, last ? Math.min(patienceMs, GONE_MS) : patienceMs)) {
      this.say({ kind: 'watching' });
      const since = performance.now();
      const ends = await this.readOnce(client);
      last = this.meter.result(ends);
      if (!ends || this.isStopped) return this.drained(last);
      if (ends.every(isUnimplemented)) return this.stopped(otherServices(port, ends));
      if (performance.now() - since > STABLE_MS) attempt = 0;
      const retryMs = Math.round(backoffMs(attempt++, again));
      // Of one that ends, or has said so, this is no news.
      if (!this.options.ending?.aborted && last.outcome !== 'complete')
        this.say({ kind: 'retrying', failure: failureOf(lostSkaffold(port, ends)), retryMs });
      await sleep(retryMs, this.stopSignal);
    }
    if (last) this.drained(last);
    else if (!this.isStopped) this.stopped((await isListening(port)) ? noGrpc(port, patienceMs) : noSkaffold(port));
  }

  /** Waits for it until it is there, or the time is over, or nobody wants to know any more. In pieces: gRPC's wait cannot be ended. */
  private async isThere(client: SkaffoldClient, patienceMs: number): Promise<boolean> {
    const given = aborted(this.stopSignal).then(() => false);
    for (let left = patienceMs; left > 0 && !this.isStopped; left -= PIECE_MS)
      if (await Promise.race([client.isThere(Math.min(left, PIECE_MS)), given])) return true;
    return false;
  }

  private end(): void {
    this.meter.begin();
    this.inbox.push({ kind: 'skaffold', source: this.source, facts: [{ kind: 'ending' }] });
  }

  /** Undefined when the drain ran out of time. */
  private async readOnce(client: SkaffoldClient): Promise<readonly StreamEnd[] | undefined> {
    this.seen.again();
    const connection = new Connection(client, event => this.take(event));
    const done = new AbortController();
    const ends = await Promise.race([connection.ended, this.drainIsOver(done.signal)]);
    done.abort();
    if (!ends) await connection.cancel();
    return ends;
  }

  private async drainIsOver(done: AbortSignal): Promise<undefined> {
    await aborted(AbortSignal.any([this.stopSignal, done]));
    if (done.aborted) return;
    this.meter.begin();
    await sleep(this.options.drainMs, AbortSignal.any([this.signal, done]));
  }

  private take(event: SkaffoldEvent): void {
    if (!this.seen.isNew(event)) return;
    this.meter.count(event);
    const telling = tellingOf(event, this.source, { hasV1: true });
    if (telling) this.inbox.push(telling);
  }

  private get isStopped(): boolean {
    return this.stopSignal.aborted;
  }

  private say(state: Extract<DebugEvent, { kind: 'source' }>['state']): void {
    this.inbox.push({ kind: 'source', source: this.source, state });
  }

  private stopped(error: UserError): void {
    this.say({ kind: 'stopped', failure: failureOf(error) });
  }

  private drained(drain: Drain): void {
    const isWell = drain.outcome === 'connection-lost' && (this.options.hasEndedWell?.() ?? false);
    this.inbox.push({
      kind: 'drained',
      source: this.source,
      drain: isWell ? { ...drain, outcome: 'complete' } : drain,
    });
  }
}

/** A Skaffold that restarts its server is soon back; one whose streams end again and again is asked less and less. */
const again = { firstMs: 200, mostMs: 10_000 };

/** How long a Skaffold that was there is waited for, in milliseconds. */
const GONE_MS = 2000;

/** The longest that a wait goes on after its stop, in milliseconds. */
const PIECE_MS = 1000;

/** A connection that has lived so long was a good one. */
const STABLE_MS = 10_000;
