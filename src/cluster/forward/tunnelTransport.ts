import type { DialTarget } from './request.ts';
import type { ForwardLimits, ForwardSession } from './session.ts';
import { SpdyForwardSession } from './spdySession.ts';
import { openWebSocket } from './webSocket.ts';
import { MessageWire } from '../../lib/messageWire.ts';

/** client-go `tools/portforward`: the bytes of SPDY in binary messages. */
const PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

/** SPDY inside a WebSocket, which passes where other upgrades do not. Throws like `upgrade`. */
export async function dialTunnel(
  target: DialTarget,
  limits: ForwardLimits,
  signal: AbortSignal,
): Promise<ForwardSession> {
  const ws = await openWebSocket(target, { subresource: 'portforward', protocol: PROTOCOL }, signal);
  return new SpdyForwardSession('tunnel', target, new MessageWire(ws), Buffer.alloc(0), limits);
}
