import { once } from 'node:events';
import net from 'node:net';

const MIB = 1 << 20;
const LIMIT_MS = 60_000;

/** Asks for N MiB over a new connection: milliseconds to the first byte and to the last. */
export async function get(port: number, mib: number): Promise<{ first: number; all: number }> {
  const started = performance.now();
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write(`GET /${mib} HTTP/1.1\r\nHost: x\r\n\r\n`);
  let first: number | undefined;
  let bytes = 0;
  await limited(socket, resolve => {
    socket.on('data', (chunk: Buffer) => {
      first ??= performance.now() - started;
      bytes += chunk.length;
      if (bytes > mib * MIB) resolve();
    });
  });
  const all = performance.now() - started;
  socket.destroy();
  return { first: first ?? all, all };
}

/** Sends N MiB over a new connection: milliseconds until the pod has them all. */
export async function put(port: number, mib: number): Promise<number> {
  const started = performance.now();
  const socket = net.connect(port, '127.0.0.1');
  const block = Buffer.alloc(MIB, 7);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${mib * MIB}\r\n\r\n`);
  const answer = limited(socket, resolve => socket.once('data', () => resolve()));
  for (let sent = 0; sent < mib; sent++) if (!socket.write(block)) await Promise.race([once(socket, 'drain'), answer]);
  await answer;
  socket.destroy();
  return performance.now() - started;
}

function limited(socket: net.Socket, work: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why} after ${socket.bytesRead} bytes`));
    const timer = setTimeout(() => fail('nothing more'), LIMIT_MS);
    socket.on('error', error => fail(error.message));
    socket.on('close', () => {
      clearTimeout(timer);
      fail('closed');
    });
    work(resolve);
  });
}
