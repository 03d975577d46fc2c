import type { Duplex } from 'node:stream';
import type { PodRef } from '../../core/contracts.ts';
import { within } from '../../lib/deadline.ts';
import type { Access, Credentials } from '../access.ts';
import { connectSocket } from '../http/socket.ts';
import { DialError } from './refusal.ts';

/** What a transport needs to dial one pod. */
export interface DialTarget {
  readonly access: Access;
  readonly pod: PodRef;
  readonly dialMs: number;
}

/** What of a pod is reached by an upgraded connection. */
export type Subresource = 'exec' | 'portforward';

/** Path of a subresource of the pod; `server` may have a path of its own. */
export const podPath = (server: URL, { namespace, pod }: PodRef, subresource: Subresource, query = ''): string =>
  `${server.pathname.replace(/\/+$/, '')}/api/v1/namespaces/${encodeURIComponent(namespace)}` +
  `/pods/${encodeURIComponent(pod)}/${subresource}${query}`;

/**
 * Runs one upgrade over a new connection to the API server; a refused login is tried once more with new credentials.
 * Throws `DialError`, the error of the credentials, or the reason of `signal`.
 */
export async function upgrade<T>(
  target: DialTarget,
  signal: AbortSignal,
  ask: (socket: Duplex, credentials: Credentials, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const once = async (credentials: Credentials) => {
    const socket = await connect(target, credentials, signal);
    try {
      return await within(target.dialMs, signal, limited => ask(socket, credentials, limited));
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
  const credentials = await target.access.credentials(signal);
  try {
    return await once(credentials);
  } catch (error) {
    if (!(error instanceof DialError && error.final && error.status === 401)) throw error;
    target.access.forget(credentials);
    return once(await target.access.credentials(signal));
  }
}

/** Opens a connection to the API server and closes it. Throws when there can be none. */
export async function reach({ access, dialMs }: DialTarget): Promise<void> {
  const socket = await connectSocket(access, AbortSignal.timeout(dialMs));
  socket.on('error', () => undefined); // it is not wanted any more
  socket.destroy();
}

/** What fails here fails for every transport. */
async function connect({ access, dialMs }: DialTarget, credentials: Credentials, signal: AbortSignal): Promise<Duplex> {
  try {
    const socket = await within(dialMs, signal, limited => connectSocket(access, limited, credentials));
    socket.on('error', () => undefined); // whoever uses the socket hears of it by its end
    return socket;
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new DialError(`cannot reach ${access.server.origin}`, { final: true, cause });
  }
}
