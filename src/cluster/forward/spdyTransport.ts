import http, { type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { OWN_CONNECTION } from '../http/tunnel.ts';
import { DialError, refusalOf } from './refusal.ts';
import { type DialTarget, forwardPath, upgrade } from './request.ts';
import type { ForwardLimits, ForwardSession } from './session.ts';
import { SpdyForwardSession } from './spdySession.ts';

/** Raw SPDY/3.1 by an upgraded POST: needs the right `create` only (client-go `transport/spdy`). Throws like `upgrade`. */
export const dialSpdy = (target: DialTarget, limits: ForwardLimits, signal: AbortSignal): Promise<ForwardSession> =>
  upgrade(target, signal, async (socket, { headers }, limited) => {
    const request = http.request({
      ...OWN_CONNECTION,
      createConnection: () => socket,
      method: 'POST',
      path: forwardPath(target.access.server, target.pod),
      signal: limited,
      headers: {
        ...headers,
        Host: target.access.server.host,
        Connection: 'Upgrade',
        Upgrade: 'SPDY/3.1',
        'X-Stream-Protocol-Version': 'portforward.k8s.io',
      },
    });
    request.end();
    return new SpdyForwardSession('spdy', target, socket, await upgraded(request), limits);
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
