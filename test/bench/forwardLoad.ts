import { once } from 'node:events';
import net from 'node:net';

const MIB = 1 << 20;
const LIMIT_MS = 60_000;

/** Milliseconds to the first byte of an answer, and to its last. */
export interface Answer {
  readonly first: number;
  readonly all: number;
}

/** Asks for N MiB over a new connection; the connecting counts. */
export async function get(port: number, mib: number): Promise<Answer> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  try {
    return await ask(socket, mib);
  } finally {
    socket.destroy();
  }
}

/** Asks for N MiB over a connection that may be used before and again. Throws when it has not come within the limit. */
export async function ask(socket: net.Socket, mib: number, limitMs = LIMIT_MS): Promise<Answer> {
  const started = performance.now();
  socket.write(`GET /${mib} HTTP/1.1\r\nHost: x\r\n\r\n`);
  let first: number | undefined;
  let bytes = 0;
  await limited(socket, limitMs, resolve => (chunk: Buffer) => {
    first ??= performance.now() - started;
    bytes += chunk.length;
    if (bytes > mib * MIB) resolve();
  });
  const all = performance.now() - started;
  return { first: first ?? all, all };
}

/** Sends N MiB over a new connection: milliseconds until the pod has them all. */
export async function put(port: number, mib: number): Promise<number> {
  const started = performance.now();
  const socket = net.connect(port, '127.0.0.1');
  const block = Buffer.alloc(MIB, 7);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${mib * MIB}\r\n\r\n`);
  const answer = limited(socket, LIMIT_MS, resolve => resolve);
  for (let sent = 0; sent < mib; sent++) if (!socket.write(block)) await Promise.race([once(socket, 'drain'), answer]);
  await answer;
  socket.destroy();
  return performance.now() - started;
}

/** Listens to a socket until `resolve` is called. */
async function limited(
  socket: net.Socket,
  limitMs: number,
  listener: (resolve: () => void) => (chunk: Buffer) => void,
): Promise<void> {
  const before = socket.bytesRead;
  const over = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why} after ${socket.bytesRead - before} bytes`));
    const timer = setTimeout(() => fail('nothing more'), limitMs);
    const take = listener(resolve);
    const broken = (error: Error) => fail(error.message);
    const closed = () => fail('closed');
    socket.on('data', take).on('error', broken).on('close', closed);
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      socket.off('data', take).off('error', broken).off('close', closed);
    });
  }).finally(() => over.abort());
}
