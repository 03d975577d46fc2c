import type { WebSocket } from 'ws';
import type { Connection } from '../../lib/connection.ts';
import { Liveness } from './liveness.ts';
import { type DialTarget, reach } from './request.ts';
import { type ForwardLimits, PodError } from './session.ts';
import { MessageWire } from '../../lib/messageWire.ts';

// `v4.channel.k8s.io` (k8s.io/cri-streaming `pkg/streaming/portforward/websocket.go`): each message begins with its
// channel; the first message of a channel is the port and carries no data.
const DATA_CHANNEL = 0;
const ERROR_CHANNEL = 1;
const CLEAN_CLOSE = [1000, 1005];

/** One connection over an open, paused `v4.channel.k8s.io` WebSocket. */
export function v4Connection(ws: WebSocket, target: DialTarget, limits: ForwardLimits): Connection {
  let text = '';
  let heard = 0;
  let linger: NodeJS.Timeout | undefined;
  const started = new Set<number>();

  const take = (message: Buffer): Buffer | undefined => {
    heard++;
    linger?.refresh();
    const channel = message[0] ?? ERROR_CHANNEL;
    if (!started.has(channel)) return void started.add(channel);
    if (channel === ERROR_CHANNEL) text += message.toString('utf8', 1);
    return channel === DATA_CHANNEL ? message.subarray(1) : undefined;
  };
  // There is no half close: after our end the WebSocket stays until the pod has been silent for a while.
  const onEnd = () => {
    linger = setTimeout(() => ws.close(1000), limits.lingerMs).unref();
  };
  const wire = new MessageWire(ws, { prefix: Buffer.from([DATA_CHANNEL]), take, onEnd });

  ws.on('pong', () => heard++);
  const liveness = new Liveness(
    {
      heard: () => heard,
      busy: () => ws.isPaused || ws.bufferedAmount > 0,
      ping: () => {
        if (ws.readyState === ws.OPEN) ws.ping();
      },
      reach: () => reach(target),
      onDead: error => wire.destroy(error),
    },
    limits,
  );
  ws.prependListener('close', (code: number) => {
    clearTimeout(linger);
    if (text) wire.destroy(new PodError(text));
    else if (!CLEAN_CLOSE.includes(code)) wire.destroy(new Error(`the WebSocket was closed with code ${code}`));
  });
  wire.on('close', () => liveness.dispose());
  return wire;
}
