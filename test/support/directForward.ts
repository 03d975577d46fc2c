import net from 'node:net';
import type { Forward } from '../../src/core/contracts.ts';
import type { Connection } from '../../src/lib/connection.ts';
import { Emitter } from '../../src/lib/emitter.ts';

interface Waiting {
  readonly connection: Connection;
  readonly options: { greet?(client: Connection): Promise<void>; keepMs: number };
}

/** A forward to a port of this machine, without a cluster in between. Counts what it does. */
export class DirectForward implements Forward {
  /** How many connections to the port it has made. */
  dials = 0;
  readonly handedOver: Waiting[] = [];
  private readonly problems = new Emitter<Error>();
  readonly onProblem = this.problems.event;
  private readonly dialled: net.Socket[] = [];
  private readonly server: net.Server;
  private target: number;

  private constructor(target: number, server: net.Server) {
    this.target = target;
    this.server = server;
    server.on('connection', client => {
      this.accept(client).catch((error: unknown) => {
        client.destroy();
        this.problems.fire(error as Error);
      });
    });
  }

  static async to(port: number): Promise<DirectForward> {
    const server = net.createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new DirectForward(port, server);
  }

  get localPort(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  /** Connections to the port that are open now. */
  get open(): number {
    return this.dialled.filter(({ destroyed }) => !destroyed).length;
  }

  /** As over an API server, a refusal shows only later, as the connection's error. */
  dial(signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    this.dials++;
    const socket = net.connect(this.target, '127.0.0.1');
    this.dialled.push(socket);
    return Promise.resolve(socket);
  }

  handOver(connection: Connection, options: Waiting['options']): void {
    connection.on('error', () => undefined);
    this.handedOver.push({ connection, options });
  }

  retarget(): void {
    this.target = 0;
  }

  dispose(): void {
    this.server.close();
    for (const socket of this.dialled) socket.destroy();
  }

  private async accept(client: net.Socket): Promise<void> {
    const waiting = this.handedOver.shift();
    const connection = waiting?.connection ?? (await this.dial(new AbortController().signal));
    await waiting?.options.greet?.(client);
    client.on('error', () => connection.destroy());
    connection.on('error', () => client.destroy());
    client.pipe(connection).pipe(client);
  }
}

/** A forward to this port that ends with the test. */
export async function forwardTo(t: { after(end: () => void): void }, port: number): Promise<DirectForward> {
  const forward = await DirectForward.to(port);
  t.after(() => forward.dispose());
  return forward;
}

/** Times for a listener that is waited for until it is there, and for one that never comes. */
export const amply = (suspended = false) => ({ suspended, signal: AbortSignal.timeout(60_000) });
export const soon = () => ({ suspended: false, signal: AbortSignal.timeout(2000) });
