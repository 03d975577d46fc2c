import http, { type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { OWN_CONNECTION } from '../http/tunnel.ts';
import { DialError, refusalOf } from './refusal.ts';
import { type DialTarget, podPath, type Subresource, upgrade } from './request.ts';

/**
 * Opens a connection of SPDY/3.1 to a subresource of the pod by an upgraded POST; `begin` gets it with the bytes that came
 * with the upgrade. `protocol` is that of its streams. Throws like `upgrade`.
 */
export const openSpdy = <T>(
  target: DialTarget,
  { subresource, protocol, query = '' }: Readonly<{ subresource: Subresource; protocol: string; query?: string }>,
  signal: AbortSignal,
  begin: (socket: Duplex, head: Buffer) => T,
): Promise<T> =>
  upgrade(target, signal, async (socket, { headers }, limited) => {
    const request = http.request({
      ...OWN_CONNECTION,
      createConnection: () => socket,
      method: 'POST',
      path: podPath(target.access.server, target.pod, subresource, query),
      signal: limited,
      headers: {
        ...headers,
        Host: target.access.server.host,
        Connection: 'Upgrade',
        Upgrade: 'SPDY/3.1',
        'X-Stream-Protocol-Version': protocol,
      },
    });
    request.end();
    return begin(socket, await upgraded(request));
  });

/** The bytes that came with the upgrade. */
function upgraded(request: http.ClientRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => void refusalOf(response).then(reject, reject));
    request.on('upgrade', (response: IncomingMessage, _socket: Duplex, head: Buffer) => {
      const protocol = response.headers.upgrade ?? 'nothing';
      if (protocol.toLowerCase() === 'spdy/3.1') resolve(head);
      else reject(new DialError(`the connection was upgraded to ${protocol}, not to SPDY/3.1`));
    });
  });
}
