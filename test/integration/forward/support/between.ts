import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What stands between client and server. */
export interface Between {
  readonly url: URL;
  close(): void;
}

/** A TCP relay that can be cut, or go deaf: bytes are no longer passed, nothing is closed. */
export class Relay implements Between {
  readonly url: URL;
  private readonly server: net.Server;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private deaf = false;

  private constructor(server: net.Server, to: URL) {
    this.server = server;
    this.url = new URL(to);
    this.url.port = String((server.address() as AddressInfo).port);
    server.on('connection', socket => this.join(socket, to));
  }

  static async start(to: URL): Promise<Relay> {
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, to);
  }

  cut(): void {
    for (const [near, far] of this.pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  goDeaf(): void {
    this.deaf = true;
    for (const [near, far] of this.pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.pause();
      far.pause();
    }
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private join(near: Socket, to: URL): void {
    const far = net.connect(Number(to.port), '127.0.0.1');
    const pair = [near, far] as const;
    this.pairs.add(pair);
    for (const side of pair) {
      side.on('error', () => undefined);
      side.on('close', () => {
        near.destroy();
        far.destroy();
        this.pairs.delete(pair);
      });
    }
    if (this.deaf) return;
    near.pipe(far);
    far.pipe(near);
  }
}

/** What a middlebox does with an upgrade: takes the upgrade out of it, breaks off, shows a page of its own, says nothing. */
export type Treatment = 'pass' | 'strip' | 'drop' | 'forbid' | 'silent';

export interface Treatments {
  readonly spdy?: Treatment;
  readonly websocket?: Treatment;
}

/** A proxy that reads HTTP, in front of a plain HTTP server. `treatments` may change while it runs. */
export async function middlebox(to: URL, treatments: Treatments): Promise<Between> {
  const sockets = new Set<Duplex>();
  const server = http.createServer();
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const how = request.headers.upgrade === 'websocket' ? treatments.websocket : treatments.spdy;
    treat(how ?? 'pass', request, socket, head, to);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const PAGE = '<html><h1>Blocked by policy</h1></html>';

function treat(how: Treatment, request: IncomingMessage, socket: Duplex, head: Buffer, to: URL): void {
  if (how === 'silent') return;
  if (how === 'drop') return void socket.destroy();
  if (how === 'forbid')
    return void socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\nConnection: close\r\n\r\n${PAGE}`,
    );
  const far = net.connect(Number(to.port), '127.0.0.1');
  const isKept = ([name]: [string, string]) => how === 'pass' || !/^(upgrade|connection)$/i.test(name);
  const headers = pairsOf(request.rawHeaders).filter(isKept);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  far.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines}\r\n`);
  far.write(head);
  far.on('error', () => socket.destroy());
  far.on('close', () => socket.destroy());
  socket.on('close', () => far.destroy());
  far.pipe(socket);
  socket.pipe(far);
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
