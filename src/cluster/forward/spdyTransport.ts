import type { Duplex } from 'node:stream';
import { openSpdy } from './openSpdy.ts';
import type { DialTarget } from './request.ts';
import type { ForwardLimits, ForwardSession } from './session.ts';
import { SpdyForwardSession } from './spdySession.ts';

/** Raw SPDY/3.1 by an upgraded POST: needs the right `create` only (client-go `transport/spdy`). Throws like `upgrade`. */
export const dialSpdy = (target: DialTarget, limits: ForwardLimits, signal: AbortSignal): Promise<ForwardSession> =>
  openSpdy(
    target,
    { subresource: 'portforward', protocol: 'portforward.k8s.io' },
    signal,
    (socket: Duplex, head: Buffer) => new SpdyForwardSession('spdy', target, socket, head, limits),
  );
