import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { noLocalPort } from './problems.ts';
import { holderOf } from './portHolder.ts';

/** Ports below need rights that a debugger should not have. */
const FIRST_UNPRIVILEGED = 1024;
/** Windows refuses its reserved ranges with EACCES, though nothing listens there (microsoft/WSL#5514). */
const BUSY = ['EADDRINUSE', 'EACCES'];
const HOST = '127.0.0.1';

/** Local ports to try, best first: one that is wished, the one of the last time, the pod's own number, any. */
export const portChoices = (...wishes: readonly (number | undefined)[]): number[] =>
  [
    ...new Set([...wishes.filter(port => port !== undefined && port >= FIRST_UNPRIVILEGED && port <= 65_535), 0]),
  ] as number[];

/** Listens on the first port of 127.0.0.1 that is free, and returns it. Throws `UserError`. */
export async function listenOn(
  server: Server,
  choices: readonly number[],
  log: (text: string) => void,
): Promise<number> {
  for (const port of choices) {
    try {
      server.listen(port, HOST);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (port === 0 || !code || !BUSY.includes(code)) throw noLocalPort(error);
      const holder = await holderOf(port);
      log(`local port ${port} cannot be used (${code}${holder ? `, held by ${holder}` : ''}), another one is taken`);
    }
  }
  throw noLocalPort(new Error('no port to try'));
}
