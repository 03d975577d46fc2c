import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { within } from '../../lib/deadline.ts';
import type { Access, Credentials, TlsOptions } from '../access.ts';
import { dialTcp, dialTls } from './dial.ts';
import { dialThroughProxy } from './tunnel.ts';

/** Limit for TCP, proxy and TLS together. */
const DIAL_LIMIT_MS = 10_000;
/** TCP keep-alive; below the idle limits of load balancers (60 s and more). */
const KEEP_ALIVE_MS = 15_000;

/** The last TLS session with a server, so that the next handshake is short; TLS options belong to one `Access`. */
const sessions = new WeakMap<TlsOptions, Buffer>();

/**
 * A connection to the API server of `access`, ready for bytes of HTTP/1.1: TLS when its URL says so, through the proxy
 * when there is one. `credentials` are those that the request on it will carry (a client certificate is in their TLS
 * part); asked from `access` when absent.
 *
 * Throws what the connection threw (`toUserError` makes it readable), `DeadlineError` after ten seconds, and the reason
 * of `signal`, which is not heeded any more once the connection is open.
 */
export async function connectSocket(
  access: Access,
  signal: AbortSignal,
  credentials?: Credentials,
): Promise<Socket | TLSSocket> {
  const options = (credentials ?? (await access.credentials(signal))).tls;
  return within(DIAL_LIMIT_MS, signal, async limited => {
    const { proxy, server } = access;
    const isSecure = server.protocol === 'https:';
    const tunnel = proxy && (await dialThroughProxy(proxy, server, limited));
    const socket = isSecure
      ? await secure(server, options, limited, tunnel)
      : (tunnel ?? (await dialTcp(server, limited)));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    return socket;
  });
}

function secure(server: URL, options: TlsOptions, signal: AbortSignal, tunnel?: Socket): Promise<TLSSocket> {
  const session = sessions.get(options);
  const remember = (secured: TLSSocket) => secured.on('session', (next: Buffer) => sessions.set(options, next));
  const connection = { ...(tunnel ? { socket: tunnel } : {}), ...(session ? { session } : {}) };
  return dialTls(server, { ...options, ...connection, ALPNProtocols: ['http/1.1'] }, signal, remember);
}
