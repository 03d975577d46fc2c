import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientOptions, WebSocket } from 'ws';
import { OWN_CONNECTION } from '../http/tunnel.ts';
import { DialError, refusalOf } from './refusal.ts';
import { type DialTarget, podPath, type Subresource, upgrade } from './request.ts';

/** Go's reader takes messages up to this size. */
const MOST_MESSAGE_BYTES = 32 << 20;
const PROTOCOL_HEADER = 'sec-websocket-protocol';

/**
 * Opens a WebSocket to a subresource of the pod; it comes paused, so that no message is lost. Throws like `upgrade`.
 * `ws` refuses the "/" in the name of the tunnel's protocol: it goes into the headers, and out of the answer before `ws`
 * looks at it.
 */
export const openWebSocket = (
  target: DialTarget,
  { subresource, protocol, query = '' }: Readonly<{ subresource: Subresource; protocol: string; query?: string }>,
  signal: AbortSignal,
): Promise<WebSocket> =>
  upgrade(target, signal, async (socket, { headers }, limited) => {
    const { WebSocket } = await import('../libraries.ts');
    const { server } = target.access;
    const path = podPath(server, target.pod, subresource, query).replaceAll(':', '%3A');
    const ws = new WebSocket(`ws+unix:${OWN_CONNECTION.socketPath}:${path}`, {
      createConnection: () => socket as ReturnType<NonNullable<ClientOptions['createConnection']>>,
      headers: { ...headers, host: server.host, [PROTOCOL_HEADER]: protocol },
      perMessageDeflate: false,
      skipUTF8Validation: true,
      maxPayload: MOST_MESSAGE_BYTES,
      ...(server.protocol === 'https:' ? { generateMask: clearMask } : {}),
    });
    return opened(ws, socket, protocol, limited);
  });

/** Masks protect plain HTTP proxies; inside TLS they only cost. */
const clearMask = (mask: Buffer): void => void mask.fill(0);

function opened(ws: WebSocket, socket: Duplex, protocol: string, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      signal.removeEventListener('abort', aborted);
      ws.on('error', () => undefined); // of the termination
      ws.terminate();
      socket.destroy();
      reject(error);
    };
    const aborted = () => fail(signal.reason as Error);
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
    ws.once('error', fail);
    ws.once('unexpected-response', (_request, response) => void refusalOf(response).then(fail, fail));
    ws.once('upgrade', (response: IncomingMessage) => {
      const chosen = response.headers[PROTOCOL_HEADER];
      if (chosen !== protocol) fail(new DialError(`the server chose the protocol ${chosen ?? '(none)'}`));
      delete response.headers[PROTOCOL_HEADER];
    });
    ws.once('open', () => {
      signal.removeEventListener('abort', aborted);
      ws.off('error', fail);
      ws.pause();
      resolve(ws);
    });
  });
}
