import type { Duplex } from 'node:stream';
import type { StreamHeaders } from '../../lib/spdy/headerBlock.ts';
import { SpdySession } from '../../lib/spdy/session.ts';
import type { SpdyStream } from '../../lib/spdy/stream.ts';
import { joinTarget } from './join.ts';
import type { ForwardPod } from './pod.ts';

/** A stream waits so long for the other one of its pair (k8s.io/cri-streaming `pkg/streaming/portforward/httpstream.go`). */
const PAIR_MS = 30_000;

type StreamType = 'data' | 'error';
type Pair = Partial<Record<StreamType, SpdyStream>> & { readonly timer: NodeJS.Timeout };

/** The server's end of a SPDY port-forward: pairs of streams with one request ID, each to one port of the pod. */
export function serveSpdy(wire: Duplex, head: Buffer, pod: ForwardPod): void {
  const pairs = new Map<string, Pair>();
  const session = new SpdySession(wire, {
    role: 'server',
    head,
    onStream: (stream, headers) => {
      stream.on('error', () => undefined); // its close tells
      const type = typeOf(headers);
      const port = portOf(headers);
      if (!type || !port) return void stream.destroy();
      session.accept(stream);
      take(headers['requestid'] ?? '', type, stream, port);
    },
  });
  session.onClose(() => {
    for (const { timer } of pairs.values()) clearTimeout(timer);
  });

  const take = (id: string, type: StreamType, stream: SpdyStream, port: number) => {
    const pair = pairs.get(id) ?? { timer: setTimeout(() => drop(id), PAIR_MS).unref() };
    if (pair[type]) return void stream.destroy();
    pair[type] = stream;
    pairs.set(id, pair);
    if (!pair.data || !pair.error) return;
    clearTimeout(pair.timer);
    pairs.delete(id);
    forward(pod, port, pair.data, pair.error);
  };

  const drop = (id: string) => {
    const pair = pairs.get(id);
    pairs.delete(id);
    pair?.error?.end(`(conn, ${id}): error: timed out waiting for streams`);
    pair?.data?.destroy();
  };
}

/** The data stream ends before the error text comes. */
function forward(pod: ForwardPod, port: number, data: SpdyStream, error: SpdyStream): void {
  error.resume();
  joinTarget(pod, port, data, text => {
    data.end(() => error.end(text));
  });
}

const typeOf = ({ streamtype }: StreamHeaders): StreamType | undefined =>
  streamtype === 'data' || streamtype === 'error' ? streamtype : undefined;

function portOf({ port }: StreamHeaders): number | undefined {
  const number = Number(port);
  return Number.isInteger(number) && number > 0 && number < 65_536 ? number : undefined;
}
