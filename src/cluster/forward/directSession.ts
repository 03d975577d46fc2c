import { connect, type Socket } from 'node:net';
import type { Connection } from '../../lib/connection.ts';
import { Emitter } from '../../lib/emitter.ts';
import type { ForwardSession } from './session.ts';

/** Plain connections to a port that is published on this machine, behind the face of a session: no cluster is in between. */
export class DirectSession implements ForwardSession {
  readonly transport = 'direct';
  readonly congested = false;
  load = 0;
  private readonly at: Readonly<{ host: string; port: number }>;
  private readonly open = new Set<Socket>();
  private readonly freed = new Emitter<void>();
  private readonly closed = new Emitter<Error | undefined>();
  private isOver = false;

  readonly onFree = this.freed.event;
  readonly onClose = this.closed.event;

  constructor(at: Readonly<{ host: string; port: number }>) {
    this.at = at;
  }

  get usable(): boolean {
    return !this.isOver;
  }

  /** Over an API server, too, a refusal shows only later, as the connection's error. */
  async connect(_port: number, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    const socket = connect({ ...this.at, allowHalfOpen: true, noDelay: true });
    this.load++;
    this.open.add(socket);
    socket.on('close', () => {
      this.open.delete(socket);
      this.load--;
      this.freed.fire();
    });
    return socket;
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const socket of this.open) socket.destroy();
    this.closed.fire(undefined);
  }
}
