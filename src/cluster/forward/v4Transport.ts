import type { Connection } from '../../lib/connection.ts';
import { Emitter } from '../../lib/emitter.ts';
import type { DialTarget } from './request.ts';
import type { ForwardLimits, ForwardSession } from './session.ts';
import { v4Connection } from './v4Connection.ts';
import { openWebSocket } from './webSocket.ts';

const PROTOCOL = 'v4.channel.k8s.io';

/** One WebSocket per connection, behind the face of a session. Usable for a while, then the better transports are tried. */
export class V4Session implements ForwardSession {
  readonly transport = 'v4';
  readonly congested = false;
  load = 0;
  private readonly target: DialTarget;
  private readonly limits: ForwardLimits;
  private readonly until: number;
  private readonly stop = new AbortController();
  private readonly open = new Set<Connection>();
  private readonly freed = new Emitter<void>();
  private readonly closed = new Emitter<Error | undefined>();

  readonly onFree = this.freed.event;
  readonly onClose = this.closed.event;

  constructor(target: DialTarget, limits: ForwardLimits) {
    this.target = target;
    this.limits = limits;
    this.until = performance.now() + limits.v4Ms;
  }

  get usable(): boolean {
    return !this.stop.signal.aborted && performance.now() < this.until;
  }

  async connect(port: number, signal: AbortSignal): Promise<Connection> {
    this.load++;
    try {
      const either = AbortSignal.any([signal, this.stop.signal]);
      const query = `?ports=${port}`;
      const ws = await openWebSocket(this.target, { subresource: 'portforward', protocol: PROTOCOL, query }, either);
      return this.track(v4Connection(ws, this.target, this.limits));
    } catch (error) {
      this.release();
      throw error;
    }
  }

  dispose(): void {
    if (this.stop.signal.aborted) return;
    this.stop.abort(new Error('the session was closed'));
    for (const connection of [...this.open]) connection.destroy();
    this.closed.fire(undefined);
  }

  private track(connection: Connection): Connection {
    this.open.add(connection);
    connection.on('close', () => {
      this.open.delete(connection);
      this.release();
    });
    return connection;
  }

  private release(): void {
    this.load--;
    this.freed.fire();
  }
}
