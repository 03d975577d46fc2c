import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { byCertificate, writeKubeconfig } from '../kubeconfig.ts';
import type { Cluster } from '../state.ts';

/** A proxy on the loopback before the API server that hands every piece on some time later, in both directions. */
export class DelayProxy {
  /** May change while it runs. */
  delayMs: number;
  /** Whether new connections are reset at once. */
  isRefusing = false;
  /** The administrator by way of it: `slow`. The API server's certificate is good for 127.0.0.1 too. */
  kubeconfig = '';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(cluster: Cluster, delayMs: number) {
    this.delayMs = delayMs;
    this.server = createServer({ allowHalfOpen: true }, client => {
      if (this.isRefusing) client.resetAndDestroy();
      else this.join(client, connect({ port: 6443, host: cluster.nodeIp, allowHalfOpen: true }));
    });
  }

  static async start(cluster: Cluster, delayMs: number): Promise<DelayProxy> {
    const proxy = new DelayProxy(cluster, delayMs);
    await new Promise<void>(resolve => proxy.server.listen(0, '127.0.0.1', resolve));
    const server = `https://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
    proxy.kubeconfig = await writeKubeconfig(cluster, 'slow', byCertificate(cluster, 'admin'), { server });
    return proxy;
  }

  /** Connections that are open, each counted once. */
  get open(): number {
    return this.sockets.size / 2;
  }

  /** Resets every connection that is open. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise(resolve => this.server.close(resolve));
  }

  private join(client: Socket, upstream: Socket): void {
    const ends: [Socket, Socket][] = [
      [client, upstream],
      [upstream, client],
    ];
    for (const [from, to] of ends) {
      this.sockets.add(from);
      from.on('error', () => undefined); // its close tells
      from.on('close', () => {
        this.sockets.delete(from);
        // Before its end it has broken off, and so does the other side; else what is under way still arrives.
        if (!from.readableEnded) to.resetAndDestroy();
      });
      from.pipe(this.later()).pipe(to);
    }
  }

  /** Each piece waits for its time, not for the one before it: latency, not a narrow pipe. */
  private later(): Transform {
    let last = Promise.resolve();
    const stream = new Transform({
      transform: (chunk: Buffer, _, done) => {
        const due = new Promise<void>(resolve => setTimeout(resolve, this.delayMs));
        last = last.then(() => due).then(() => void stream.push(chunk));
        done();
      },
      flush: finish => void last.then(() => finish()),
    });
    return stream;
  }
}
