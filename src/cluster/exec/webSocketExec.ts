import { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { DialTarget } from '../forward/request.ts';
import { openWebSocket } from '../forward/webSocket.ts';
import { type ExecCall, type ExecChannel, MOST_STATUS_CHARS, queryOf } from './channel.ts';

/** First byte of each message (apimachinery `pkg/util/remotecommand`); CLOSE exists since v5 and names a channel. */
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const;
/** Unsent bytes above which the next message waits. */
const UNSENT_BYTES = 1 << 19;

/** Protocols of programs over a WebSocket; only v5 can end the standard input. */
export type WebSocketProtocol = 'v5' | 'v4';

/** A program over a WebSocket: each message begins with its channel. Needs the right `get`, since Kubernetes 1.35 `create` too. */
export async function webSocketExec(
  target: DialTarget,
  call: ExecCall,
  version: WebSocketProtocol,
  signal: AbortSignal,
): Promise<ExecChannel> {
  const protocol = `${version}.channel.k8s.io`;
  const ws = await openWebSocket(target, { subresource: 'exec', protocol, query: queryOf(call) }, signal);
  const stdout = output(ws);
  const stderr = output(ws);
  const outcome = new Promise<string>((resolve, reject) => {
    let text = '';
    ws.on('message', (message: Buffer) => {
      const content = message.subarray(1);
      if (message[0] === CHANNEL.stdout) take(ws, stdout, content);
      else if (message[0] === CHANNEL.stderr) take(ws, stderr, content);
      else if (message[0] === CHANNEL.error && text.length < MOST_STATUS_CHARS) text += content.toString();
    });
    ws.on('error', reject);
    ws.on('close', (code: number) => {
      for (const stream of [stdout, stderr]) stream.push(null);
      if (text) resolve(text);
      else reject(new Error(`the WebSocket was closed with code ${code}`));
    });
  });
  ws.resume();
  const stdin = call.stdin ? { stdin: input(ws, version) } : {};
  return { ...stdin, stdout, stderr, outcome, close: () => ws.terminate() };
}

const output = (ws: WebSocket): Readable => new Readable({ read: () => ws.resume() });

function take(ws: WebSocket, stream: Readable, content: Buffer): void {
  if (content.length > 0 && !stream.push(content)) ws.pause();
}

function input(ws: WebSocket, version: WebSocketProtocol): Writable {
  const send = (channel: number, content: Buffer, done: (error?: Error | null) => void) =>
    ws.send(Buffer.concat([Buffer.from([channel]), content]), done);
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const isFull = ws.bufferedAmount >= UNSENT_BYTES;
      send(CHANNEL.stdin, chunk, error => (isFull || error ? done(error) : undefined));
      if (!isFull) done();
    },
    final(done) {
      if (version === 'v5' && ws.readyState === ws.OPEN)
        send(CHANNEL.close, Buffer.from([CHANNEL.stdin]), () => done());
      else done();
    },
  });
}
