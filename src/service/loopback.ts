import type { AddressInfo, Server } from 'node:net';
import { portTaken } from './problems.ts';

/** How often another port is tried when that of 127.0.0.1 is taken on ::1. */
const TRIES = 10;

/** So many clients each. */
const MOST_CONNECTIONS = 256;

/** Servers at one port of both addresses of the loopback. */
export interface Loopback {
  readonly port: number;
  stopAccepting(): void;
  /** Resolves after `stopAccepting`, when all connections have ended: what was sent has then left this process. */
  readonly ended: Promise<void>;
}

/** One protocol of the service, listening. Calls that are open go on when no more are accepted. */
export interface ProtocolServer extends Loopback {
  /** Ends what is left, at once. */
  destroy(): void;
}

/**
 * Two servers listen at the same port of 127.0.0.1 and of ::1, and nowhere else; where there is no IPv6, one. Port 0 is any
 * free one. Throws `UserError` when the port is taken.
 */
export async function listenOnLoopback([v4, v6]: readonly [Server, Server], port: number): Promise<Loopback> {
  for (const server of [v4, v6]) server.maxConnections = MOST_CONNECTIONS;
  for (let tries = 1; ; tries++) {
    await listen(v4, port, '127.0.0.1');
    const taken = (v4.address() as AddressInfo).port;
    try {
      await listen(v6, taken, '::1');
      return loopback([v4, v6], taken);
    } catch (error) {
      if (codeOf(error) === 'EADDRNOTAVAIL' || codeOf(error) === 'EAFNOSUPPORT') return loopback([v4], taken);
      await new Promise(resolve => v4.close(resolve));
      if (port !== 0 || tries === TRIES) throw portTaken(port, error);
    }
  }
}

const loopback = (servers: readonly Server[], port: number): Loopback => ({
  port,
  stopAccepting() {
    for (const server of servers) server.close();
  },
  ended: Promise.all(servers.map(server => new Promise(resolve => server.once('close', resolve)))).then(
    () => undefined,
  ),
});

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(host === '127.0.0.1' ? portTaken(port, error) : error);
    server.once('error', failed);
    server.listen({ port, host, ipv6Only: host === '::1' }, () => {
      server.off('error', failed);
      server.on('error', () => undefined); // a connection that could not be taken is its client's loss
      resolve();
    });
  });

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
