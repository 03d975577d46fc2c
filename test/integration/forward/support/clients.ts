import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendPattern } from './podApp.ts';

/** How a connection went on. */
export interface Outcome {
  readonly text: string;
  /** `end`, an error code, or `timeout`. */
  readonly how: string;
}

/** Far above what anything takes: tests wait for conditions, not for times. */
const LIMIT_MS = 60_000;

/** Sends, perhaps ends, and reads until the other side ends or breaks off. */
export function talk(port: number, send: string, { end = false, limitMs = LIMIT_MS } = {}): Promise<Outcome> {
  return new Promise(resolve => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const parts: Buffer[] = [];
    const done = (how: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(parts).toString(), how });
    };
    const timer = setTimeout(() => done('timeout'), limitMs);
    socket.on('data', chunk => parts.push(chunk));
    socket.on('end', () => done('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    if (send) socket.write(send);
    if (end) socket.end();
  });
}

/** Sends a text and reads as much back; then breaks off. */
export async function echo(port: number, text = 'hello'): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    return await exchange(socket, text);
  } finally {
    socket.destroy();
  }
}

/** Sends a text over an open connection and reads as much back; an error's code when there is one. */
export function exchange(socket: Socket, text: string, limitMs = LIMIT_MS): Promise<string> {
  return new Promise(resolve => {
    let got = '';
    const done = (how: string) => {
      clearTimeout(timer);
      socket.off('data', take);
      resolve(how);
    };
    const timer = setTimeout(() => done('timeout'), limitMs);
    const take = (chunk: Buffer) => {
      got += chunk.toString();
      if (got.length >= text.length) done(got);
    };
    socket.on('data', take);
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    socket.once('close', () => done('closed'));
    socket.write(text);
  });
}

/** An open connection whose errors are told by its end. */
export async function open(port: number): Promise<Socket> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** How an open connection ends: `close` or an error code. */
export const endOf = (socket: Socket, limitMs = LIMIT_MS): Promise<string> =>
  new Promise(resolve => {
    const timer = setTimeout(() => resolve('still open'), limitMs);
    const done = (how: string) => {
      clearTimeout(timer);
      resolve(how);
    };
    socket.resume();
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    socket.once('close', () => done('close'));
  });

/** Takes N bytes of the pattern, with a pause after every so many; their hash. */
export async function download(port: number, bytes: number, { stopsEvery = Infinity } = {}): Promise<string> {
  const socket = await open(port);
  socket.write(`source ${bytes}\n`);
  const hash = createHash('sha256');
  let left = bytes;
  let untilStop = stopsEvery;
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      left -= chunk.length;
      untilStop -= chunk.length;
      if (left === 0) resolve();
      if (untilStop > 0) return;
      untilStop = stopsEvery;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${left} bytes are missing`)));
  });
  socket.destroy();
  return hash.digest('hex');
}

/** Sends N bytes of the pattern; the hash that the pod computed. */
export async function upload(port: number, bytes: number): Promise<string> {
  const socket = await open(port);
  socket.write(`sink ${bytes}\n`);
  const answer = once(socket, 'data') as Promise<[Buffer]>;
  await sendPattern(socket, bytes);
  const [hash] = await answer;
  socket.destroy();
  return hash.toString();
}

/** Waits until a condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await sleep(10);
  }
}
