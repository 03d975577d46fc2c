import type { Duplex } from 'node:stream';
import type { Connection } from '../../lib/connection.ts';
import { Emitter } from '../../lib/emitter.ts';
import { SpdySession } from '../../lib/spdy/session.ts';
import { Liveness } from './liveness.ts';
import { type DialTarget, reach } from './request.ts';
import type { ForwardLimits, ForwardSession, Transport } from './session.ts';
import { openPair } from './streamPair.ts';

/** A SPDY session that forwards ports: a pair of streams per connection, raw or inside a WebSocket. */
export class SpdyForwardSession implements ForwardSession {
  readonly transport: Transport;
  load = 0;
  private readonly spdy: SpdySession;
  private readonly freed = new Emitter<void>();
  private requests = 0;

  readonly onFree = this.freed.event;

  constructor(transport: Transport, target: DialTarget, wire: Duplex, head: Buffer, limits: ForwardLimits) {
    this.transport = transport;
    const spdy = new SpdySession(wire, { role: 'client', head });
    this.spdy = spdy;
    const liveness = new Liveness(
      {
        heard: () => spdy.heard,
        busy: () => spdy.congested,
        ping: () => void spdy.ping().catch(() => undefined), // the session's end is told by onClose
        reach: () => reach(target),
        onDead: error => spdy.destroy(error),
      },
      limits,
    );
    spdy.onClose(() => liveness.dispose());
  }

  get onClose(): ForwardSession['onClose'] {
    return this.spdy.onClose;
  }

  get usable(): boolean {
    return this.spdy.canOpen(2);
  }

  get congested(): boolean {
    return this.spdy.congested;
  }

  /** Streams that are open, for tests of leaks. */
  get streamCount(): number {
    return this.spdy.streamCount;
  }

  async connect(port: number): Promise<Connection> {
    const connection = openPair(this.spdy, port, this.requests++);
    this.load++;
    connection.on('close', () => {
      this.load--;
      this.freed.fire();
    });
    return connection;
  }

  dispose(): void {
    this.spdy.close();
  }
}
