import type { Duplex, Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { RawData, WebSocket } from 'ws';
import { SpdySession } from '../../lib/spdy/session.ts';
import type { SpdyStream } from '../../lib/spdy/stream.ts';

/** The client's end of a program's streams. */
export interface ExecStreams {
  /** Sends what the program writes, and holds it back while the client does not read. */
  send(name: 'stdout' | 'stderr', output: Readable): void;
  /** Passes the client's input on, and its end. */
  feed(input: Writable): void;
  /** Says how the program has ended, and ends the connection. */
  end(status: string): void;
  onClose(listener: () => void): void;
}

/** First byte of each message (apimachinery `pkg/util/remotecommand`); CLOSE exists since v5 and names a channel. */
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const;
/** Output of a program waits while the client has more than this to read. */
const MOST_UNSENT_BYTES = 1 << 20;

/** Over a WebSocket, `v5.channel.k8s.io` or `v4.channel.k8s.io`. */
export function overWebSocket(client: WebSocket): ExecStreams {
  client.on('error', () => undefined); // `close` follows
  return {
    send: (name, output) =>
      output.on('data', (content: Buffer) => {
        client.send(framed(CHANNEL[name], content), () => output.resume());
        if (client.bufferedAmount > MOST_UNSENT_BYTES) output.pause();
      }),
    feed: input => client.on('message', (data: RawData) => receive(client, input, data as Buffer)),
    end(status) {
      client.send(framed(CHANNEL.error, Buffer.from(status)));
      client.close(1000);
    },
    onClose: listener => client.on('close', listener),
  };
}

function receive(client: WebSocket, input: Writable, message: Buffer): void {
  const content = message.subarray(1);
  if (message[0] === CHANNEL.close && content[0] === CHANNEL.stdin) input.end();
  if (message[0] !== CHANNEL.stdin || input.write(content)) return;
  client.pause();
  input.once('drain', () => client.resume());
}

const framed = (channel: number, content: Buffer) => Buffer.concat([Buffer.from([channel]), content]);

type StreamName = 'error' | 'stdin' | 'stdout' | 'stderr';

/** Over SPDY: waits for the streams that were asked for, then begins (kubelet `pkg/cri/streaming/remotecommand`). */
export function overSpdy(
  wire: Duplex,
  head: Buffer,
  wanted: readonly StreamName[],
  begin: (streams: ExecStreams) => void,
): void {
  const streams = new Map<string, SpdyStream>();
  const session = new SpdySession(wire, {
    role: 'server',
    head,
    onStream(stream, { streamtype = '' }) {
      stream.on('error', () => undefined); // the session's close tells
      session.accept(stream);
      streams.set(streamtype, stream);
      if (streams.size === wanted.length && wanted.every(name => streams.has(name))) begin(joined(session, streams));
    },
  });
}

function joined(session: SpdySession, streams: ReadonlyMap<string, SpdyStream>): ExecStreams {
  const sent: Promise<unknown>[] = [];
  return {
    send(name, output) {
      const stream = streams.get(name)!;
      sent.push(finished(output.pipe(stream), { readable: false }).catch(() => undefined)); // it is gone: `onClose`
    },
    feed: input => streams.get('stdin')!.pipe(input),
    end: status => void Promise.all(sent).then(() => streams.get('error')!.end(status, () => session.close())),
    onClose: listener => session.onClose(listener),
  };
}
