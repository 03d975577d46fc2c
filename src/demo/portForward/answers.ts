import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  500: 'Internal Server Error',
};
/** Largest message that a kubelet reads (k8s.io/apimachinery `pkg/util/portforward`, golang.org/x/net/websocket). */
const MOST_MESSAGE_BYTES = 32 << 20;

/** Answers an upgrade with plain text, as Go's `http.Error` does, and ends the connection. */
export function refuse(socket: Duplex, status: number, text: string): void {
  const body = `${text}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Switches the connection to SPDY; `streams` is the protocol of its streams. */
export function acceptSpdy(socket: Duplex, streams: string): void {
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n' +
      `X-Stream-Protocol-Version: ${streams}\r\n\r\n`,
  );
}

/**
 * Switches the connection to a WebSocket, which comes paused. `ws` refuses a "/" in the name of a protocol, so the
 * negotiation is kept from it.
 */
export async function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  protocol: string | undefined,
): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxPayload: MOST_MESSAGE_BYTES,
  });
  delete request.headers['sec-websocket-protocol'];
  if (protocol) server.on('headers', headers => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  return new Promise(resolve => {
    server.handleUpgrade(request, socket, head, ws => {
      ws.pause();
      resolve(ws);
    });
  });
}
