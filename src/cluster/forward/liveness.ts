import { rawText } from '../../core/errors.ts';
import type { Disposable } from '../../lib/disposable.ts';

interface Watched {
  /** Grows with everything that is heard. */
  heard(): number;
  /** While we do not read, or the other side does not read us, silence proves nothing. */
  busy(): boolean;
  ping(): void;
  /** Opens a new connection to the same server and closes it; rejects when there can be none. */
  reach(): Promise<unknown>;
  onDead(error: Error): void;
}

/**
 * Notices a connection that went deaf: pings it, and counts those after which nothing at all was heard. A busy one gets no
 * pings; when it is silent for as long, the server is asked over a new connection whether it is still there.
 */
export class Liveness implements Disposable {
  private readonly watched: Watched;
  private readonly limit: number;
  private readonly timer: NodeJS.Timeout;
  private heard = 0;
  private missed = 0;
  private stalled = 0;
  private isDisposed = false;

  constructor(watched: Watched, { pingMs, deadPings }: { pingMs: number; deadPings: number }) {
    this.watched = watched;
    this.limit = deadPings;
    this.timer = setInterval(() => this.beat(), pingMs).unref();
  }

  dispose(): void {
    this.isDisposed = true;
    clearInterval(this.timer);
  }

  private beat(): void {
    const heard = this.watched.heard();
    const busy = this.watched.busy();
    const isSilent = heard === this.heard;
    if (busy || !isSilent) this.missed = 0;
    this.stalled = busy && isSilent ? this.stalled + 1 : 0;
    this.heard = heard;
    if (this.stalled > this.limit) this.askElsewhere(heard);
    if (busy) return;
    if (this.missed >= this.limit) return this.watched.onDead(new Error(`no answer to ${this.limit} pings`));
    this.missed++;
    this.watched.ping();
  }

  private askElsewhere(heard: number): void {
    this.stalled = 0;
    this.watched.reach().catch((error: unknown) => {
      if (this.isDisposed || this.watched.heard() !== heard) return;
      this.watched.onDead(new Error(`nothing comes any more, and a new connection fails too: ${rawText(error)}`));
    });
  }
}
