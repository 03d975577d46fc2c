import { abortable } from '../../lib/abortable.ts';
import type { Connection } from '../../lib/connection.ts';
import type { Disposable } from '../../lib/disposable.ts';
import { type ForwardLimits, type ForwardSession, PodError } from './session.ts';

/**
 * The sessions of one forwarded port. One connection that stalls stops its whole session, so each gets a session of its
 * own while there are fewer than the limit, and an idle one is dialled ahead. Two ports share none: application traffic
 * must not stall a debugger.
 */
export class SessionPool implements Disposable {
  private readonly dial: (signal: AbortSignal) => Promise<ForwardSession>;
  private readonly limits: ForwardLimits;
  private readonly sessions = new Set<ForwardSession>();
  /** Take no new connection; end with their last one. */
  private readonly retired = new WeakSet<ForwardSession>();
  private readonly idle = new Map<ForwardSession, NodeJS.Timeout>();
  private readonly stop = new AbortController();
  private dialling: Promise<void> | undefined;

  constructor(dial: (signal: AbortSignal) => Promise<ForwardSession>, limits: ForwardLimits) {
    this.dial = dial;
    this.limits = limits;
  }

  /** Sessions that are open, for tests and reports. */
  get open(): readonly ForwardSession[] {
    return [...this.sessions];
  }

  /** Waits for a first session: shows what is wrong before the first connection. Throws what dialling throws. */
  async ready(signal: AbortSignal): Promise<void> {
    if (!this.best()) await abortable(this.grow(), signal);
  }

  /** A connection over an idle session, else over a new one, else over the least loaded that is not congested. */
  async connect(port: number, signal: AbortSignal): Promise<Connection> {
    for (;;) {
      signal.throwIfAborted();
      const best = this.best();
      if (best && this.isGoodEnough(best)) return this.connectOver(best, port, signal);
      try {
        await abortable(this.grow(), signal);
      } catch (error) {
        if (signal.aborted || !best?.usable) throw error;
        return this.connectOver(best, port, signal);
      }
    }
  }

  /** No new connections over the sessions that are open now: what they lead to is no longer what it was. */
  retire(): void {
    for (const session of this.sessions) this.retireOne(session);
  }

  /** `reason` is what those hear who wait for a session. */
  dispose(reason: Error = new Error('the forward was closed')): void {
    this.stop.abort(reason);
    for (const session of [...this.sessions]) session.dispose();
  }

  private isGoodEnough(session: ForwardSession): boolean {
    return session.load === 0 || session.transport === 'v4' || this.isFull;
  }

  private async connectOver(session: ForwardSession, port: number, signal: AbortSignal): Promise<Connection> {
    const connecting = session.connect(port, signal);
    this.clearIdle(session);
    this.keepSpare(session);
    const connection = await connecting;
    connection.on('error', error => {
      if (error instanceof PodError && session.transport !== 'v4') this.retireOne(session);
    });
    return connection;
  }

  /**
   * Also after a connection that the pod has refused or reset: on a real kubelet with containerd 1.6 the fourth one after it
   * hung. What has been sent on it is perhaps never read, and then holds up one of the five workers that the server's SPDY
   * gives its streams to by number (moby/spdystream `connection.go`, `FRAME_WORKERS`). kubectl ends the session as well
   * (client-go `tools/portforward`).
   */
  private retireOne(session: ForwardSession): void {
    this.retired.add(session);
    this.trim(session);
  }

  private best(): ForwardSession | undefined {
    return this.takers()
      .filter(session => !session.congested)
      .sort((a, b) => a.load - b.load)[0];
  }

  private takers(): ForwardSession[] {
    return [...this.sessions].filter(session => session.usable && !this.retired.has(session));
  }

  private get isFull(): boolean {
    return this.takers().length >= this.limits.maxSessions;
  }

  /** Opens one more session; those who want one at the same time wait for the same one. */
  private grow(): Promise<void> {
    this.dialling ??= this.dial(this.stop.signal)
      .then(session => this.add(session))
      .finally(() => {
        this.dialling = undefined;
      });
    return this.dialling;
  }

  private add(session: ForwardSession): void {
    if (this.stop.signal.aborted) {
      session.dispose();
      throw this.stop.signal.reason;
    }
    for (const other of this.sessions) this.trim(other);
    this.sessions.add(session);
    session.onFree(() => this.trim(session));
    session.onClose(() => {
      this.sessions.delete(session);
      this.clearIdle(session);
    });
    this.trim(session);
  }

  /** A spare v4 session would be nothing: it dials per connection. */
  private keepSpare({ transport }: ForwardSession): void {
    if (transport === 'v4' || this.isFull || this.takers().some(({ load }) => load === 0)) return;
    this.grow().catch(() => undefined); // the next connection dials again and tells
  }

  /** Ends an idle session that is not wanted any more: at once when it takes no connection, later when there is another. */
  private trim(session: ForwardSession): void {
    this.clearIdle(session);
    if (session.load > 0) return;
    if (this.retired.has(session) || !session.usable) return session.dispose();
    const timer = setTimeout(() => {
      if (this.takers().some(other => other !== session && other.load === 0)) session.dispose();
    }, this.limits.idleMs);
    this.idle.set(session, timer.unref());
  }

  private clearIdle(session: ForwardSession): void {
    clearTimeout(this.idle.get(session));
    this.idle.delete(session);
  }
}
