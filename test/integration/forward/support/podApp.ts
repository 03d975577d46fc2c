import { createCipheriv, createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import net, { type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Emitter } from '../../../../src/lib/emitter.ts';
import type { Target } from '../../../../src/demo/portForward/pod.ts';

/** Ports of the pod, by what listens there. */
export const PORT = {
  bulk: 8080,
  echo: 8081,
  closesFirst: 8082,
  answersLate: 8084,
  neverReads: 8085,
  resets: 8086,
  flood: 8090,
  nobody: 9999,
} as const;

const BLOCK = 1 << 16;

/** Bytes that look random and are always the same. */
export function pattern(): (bytes: number) => Buffer {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  const zero = Buffer.alloc(BLOCK);
  return bytes => cipher.update(zero.subarray(0, bytes));
}

export function patternHash(bytes: number): string {
  const next = pattern();
  const hash = createHash('sha256');
  for (let left = bytes; left > 0; left -= BLOCK) hash.update(next(Math.min(BLOCK, left)));
  return hash.digest('hex');
}

/** What a pod runs: real listeners on ports of this machine that only the port-forward knows. */
export class PodApp {
  private readonly servers = new Map<number, Server>();
  private readonly sockets = new Set<Socket>();
  private readonly seen = new Emitter<{ port: number; what: 'open' | 'end' | 'close' }>();
  readonly onEvent = this.seen.event;
  /** Connections opened so far. */
  accepted = 0;

  static async start(): Promise<PodApp> {
    const app = new PodApp();
    for (const [name, port] of Object.entries(PORT)) {
      const handle = handlers[name];
      if (handle) await app.listen(port, handle);
    }
    return app;
  }

  get open(): number {
    return this.sockets.size;
  }

  readonly find = (port: number): Target | undefined => {
    const address = this.servers.get(port)?.address() as AddressInfo | null | undefined;
    return address ? { host: '127.0.0.1', port: address.port } : undefined;
  };

  async listen(port: number, handle: (socket: Socket) => void): Promise<void> {
    const server = net.createServer({ allowHalfOpen: true }, socket => {
      this.accepted++;
      this.sockets.add(socket);
      this.seen.fire({ port, what: 'open' });
      socket.on('end', () => this.seen.fire({ port, what: 'end' }));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.seen.fire({ port, what: 'close' });
      });
      handle(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.servers.set(port, server);
  }

  close(): void {
    for (const server of this.servers.values()) server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

const handlers: Record<string, (socket: Socket) => void> = {
  bulk: socket => void bulk(socket),
  echo: socket => socket.pipe(socket),
  closesFirst: socket => {
    socket.end('bye');
    socket.resume();
  },
  answersLate: socket => {
    socket.once('data', (text: Buffer) => setTimeout(() => socket.end('late'), Number(text.toString())));
  },
  neverReads: socket => socket.pause(),
  resets: socket => socket.once('data', () => socket.resetAndDestroy()),
  flood: socket => {
    const block = Buffer.alloc(BLOCK);
    const go = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', go);
    socket.resume();
    go();
  },
};

/** `source N` sends N bytes; `sink N` takes N bytes and answers with their hash. */
async function bulk(socket: Socket): Promise<void> {
  const first = await readLine(socket).catch(() => undefined);
  if (!first) return;
  const [what, size] = first.line.split(' ');
  if (what === 'sink') return receive(socket, first.rest, Number(size));
  socket.on('end', () => socket.end());
  socket.resume();
  await sendPattern(socket, Number(size)).catch(() => undefined); // a client that breaks off
}

async function readLine(socket: Socket): Promise<{ line: string; rest: Buffer }> {
  let bytes = Buffer.alloc(0);
  while (!bytes.includes(10)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  socket.pause();
  const at = bytes.indexOf(10);
  return { line: bytes.toString('utf8', 0, at), rest: bytes.subarray(at + 1) };
}

/** Writes N bytes of the pattern as fast as they are taken. */
export async function sendPattern(socket: Socket, bytes: number): Promise<void> {
  const next = pattern();
  for (let left = bytes; left > 0; left -= BLOCK)
    if (!socket.write(next(Math.min(BLOCK, left)))) await once(socket, 'drain');
}

function receive(socket: Socket, first: Buffer, bytes: number): void {
  const hash: Hash = createHash('sha256');
  let left = bytes;
  const take = (chunk: Buffer) => {
    hash.update(chunk);
    left -= chunk.length;
    if (left === 0) socket.end(hash.digest('hex'));
  };
  socket.on('data', take);
  if (first.length > 0) take(first);
  socket.resume();
}
