import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { byCertificate, writeKubeconfig } from '../kubeconfig.ts';
import type { Cluster } from '../state.ts';

/** A proxy on the loopback before the API server that hands every piece on some time later, in both directions. */
export class DelayProxy {
  /** May change while it runs. */
  delayMs: number;
  /** The administrator by way of it: `slow`. The API server's certificate is good for 127.0.0.1 too. */
  kubeconfig = '';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(cluster: Cluster, delayMs: number) {
    this.delayMs = delayMs;
    this.server = createServer(client => this.join(client, connect(6443, cluster.nodeIp)));
  }

  static async start(cluster: Cluster, delayMs: number): Promise<DelayProxy> {
    const proxy = new DelayProxy(cluster, delayMs);
    await new Promise<void>(resolve => proxy.server.listen(0, '127.0.0.1', resolve));
    const server = `https://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
    proxy.kubeconfig = await writeKubeconfig(cluster, 'slow', byCertificate(cluster, 'admin'), { server });
    return proxy;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }

  private join(client: Socket, upstream: Socket): void {
    const ends: [Socket, Socket][] = [
      [client, upstream],
      [upstream, client],
    ];
    for (const [from, to] of ends) {
      this.sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => this.sockets.delete(from));
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
