import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { withReusedMemory } from '../../lib/lending.ts';

/** Host name or address of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Port of a URL, also when it is its protocol's own. */
export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/** A TCP connection to the host of `url`. Throws the connection's error or the reason of `signal`. */
export const dialTcp = (url: URL, signal: AbortSignal): Promise<net.Socket> =>
  opened(net.connect({ host: hostOf(url), port: portOf(url) }), 'connect', signal);

/**
 * TLS with the host of `url`; the name in `options` wins, and `options.socket` is a connection to use. Throws the
 * connection's error, also for a client certificate or key that cannot be read, or the reason of `signal`. `prepare` sees
 * the socket before its first event.
 */
export async function dialTls(
  url: URL,
  options: tls.ConnectionOptions,
  signal: AbortSignal,
  prepare?: (socket: tls.TLSSocket) => void,
): Promise<tls.TLSSocket> {
  const host = hostOf(url);
  const name = net.isIP(host) ? {} : { servername: host };
  const all = { host, port: portOf(url), ...name, ...options };
  try {
    const secured = withReusedMemory(reading => tls.connect({ ...all, ...reading }));
    prepare?.(secured);
    return await opened(secured, 'secureConnect', signal);
  } catch (error) {
    options.socket?.destroy();
    throw error;
  }
}

/** Waits until a socket is open; one that fails or is not wanted any more is destroyed. */
async function opened<S extends net.Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => undefined); // what comes after the first error has no reader any more
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}
