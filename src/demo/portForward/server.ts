import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MessageWire } from '../../lib/messageWire.ts';
import { acceptSpdy, acceptWebSocket, refuse } from './answers.ts';
import type { ForwardPod } from './pod.ts';
import { serveSpdy } from './spdyServer.ts';
import { serveV4 } from './v4Server.ts';

/** What an HTTP server's `upgrade` event brings, and the pod that the path names. */
export interface PortForwardRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly pod: ForwardPod;
}

const TUNNEL = 'SPDY/3.1+portforward.k8s.io';
const V4 = 'v4.channel.k8s.io';
const STREAMS = 'portforward.k8s.io';

/**
 * Answers an upgrade of `/api/v1/namespaces/{ns}/pods/{pod}/portforward` in all three ways of a real API server: POST or
 * GET with `Upgrade: SPDY/3.1`, a WebSocket that carries SPDY, and `v4.channel.k8s.io`. The caller has authenticated,
 * authorized (a WebSocket needs `get` and `create` on `pods/portforward`, SPDY `create`) and found the pod.
 */
export function handlePortForward(asked: PortForwardRequest): void {
  asked.socket.on('error', () => asked.socket.destroy());
  const protocol = (asked.request.headers.upgrade ?? '').toLowerCase();
  if (protocol === 'spdy/3.1') handleSpdy(asked);
  else if (protocol === 'websocket') handleWebSocket(asked).catch(() => asked.socket.destroy());
  else refuse(asked.socket, 400, `unable to upgrade: missing upgrade headers in request: ${protocol}`);
}

function handleSpdy({ request, socket, head, pod }: PortForwardRequest): void {
  const offered = list(request.headers['x-stream-protocol-version']);
  if (offered.length === 0)
    return refuse(socket, 400, 'unable to upgrade: "X-Stream-Protocol-Version" header is required');
  if (!offered.includes(STREAMS))
    return refuse(
      socket,
      403,
      `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${STREAMS}]`,
    );
  acceptSpdy(socket, STREAMS);
  serveSpdy(socket, head, pod);
}

async function handleWebSocket({ request, socket, head, pod }: PortForwardRequest): Promise<void> {
  const offered = list(request.headers['sec-websocket-protocol']);
  if (offered.includes(TUNNEL)) {
    const ws = await acceptWebSocket(request, socket, head, TUNNEL);
    return serveSpdy(new MessageWire(ws), Buffer.alloc(0), pod);
  }
  if (offered.length > 0 && !offered.includes(V4)) return refuse(socket, 403, 'requested protocol not supported');
  const ports = portsOf(request);
  if (ports.length === 0) return refuse(socket, 400, 'query parameter "port" is required');
  serveV4(await acceptWebSocket(request, socket, head, offered.length > 0 ? V4 : undefined), ports, pod);
}

const list = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap(value => value.split(','))
    .map(value => value.trim())
    .filter(Boolean);

/** `?ports=1,2`, also several times. Not one port at all when one of them is none. */
function portsOf(request: IncomingMessage): number[] {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const ports = query.getAll('ports').flatMap(value => value.split(',').map(Number));
  return ports.every(port => Number.isInteger(port) && port > 0 && port < 65_536) ? ports : [];
}
