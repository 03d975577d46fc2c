import type { Disposable } from '../../lib/disposable.ts';

interface Watched {
  /** Grows with everything that is heard. */
  heard(): number;
  /** While we do not read, or the other side does not read us, silence proves nothing. */
  busy(): boolean;
  ping(): void;
  onDead(error: Error): void;
}

/** Notices a connection that went deaf: pings it, and counts those after which nothing at all was heard. */
export class Liveness implements Disposable {
  private readonly watched: Watched;
  private readonly limit: number;
  private readonly timer: NodeJS.Timeout;
  private heard = 0;
  private missed = 0;

  constructor(watched: Watched, { pingMs, deadPings }: { pingMs: number; deadPings: number }) {
    this.watched = watched;
    this.limit = deadPings;
    this.timer = setInterval(() => this.beat(), pingMs).unref();
  }

  dispose(): void {
    clearInterval(this.timer);
  }

  private beat(): void {
    const heard = this.watched.heard();
    const busy = this.watched.busy();
    if (busy || heard !== this.heard) this.missed = 0;
    this.heard = heard;
    if (busy) return;
    if (this.missed >= this.limit) return this.watched.onDead(new Error(`no answer to ${this.limit} pings`));
    this.missed++;
    this.watched.ping();
  }
}
