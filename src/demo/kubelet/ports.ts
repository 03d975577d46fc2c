import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what operating systems hand out for outgoing connections, which could otherwise take a port meanwhile. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const reserved = new Set<number>();

/** A port of 127.0.0.1 for a program to listen on; nobody gets it again before `releasePort`. */
export async function reservePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (reserved.has(port)) continue;
    reserved.add(port);
    if (await isFree(port)) return port;
    reserved.delete(port);
  }
  throw new Error(`No free port was found between ${FIRST_PORT} and ${LAST_PORT}.`);
}

export const releasePort = (port: number): void => void reserved.delete(port);

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
