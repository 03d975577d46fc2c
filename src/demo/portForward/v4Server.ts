import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { joinTarget } from './join.ts';
import type { ForwardPod } from './pod.ts';

const NORMAL_CLOSURE = 1000;
const BUFFER_BYTES = 1 << 18;

/**
 * `v4.channel.k8s.io` (k8s.io/cri-streaming `pkg/streaming/portforward/websocket.go`) over a paused WebSocket: port
 * number i has the channels 2i (data) and 2i+1 (errors). Each channel begins with the port, 16 bits little endian. All
 * share one reader, and the WebSocket is closed when the last port has ended.
 */
export function serveV4(ws: WebSocket, ports: readonly number[], pod: ForwardPod): void {
  let open = ports.length;
  const channels = ports.map((port, index) => {
    const channel = new DataChannel(ws, 2 * index);
    for (const id of [2 * index, 2 * index + 1]) ws.send(message(id, portBytes(port)));
    joinTarget(pod, port, channel, text => {
      if (text) ws.send(message(2 * index + 1, Buffer.from(text)));
      if (--open === 0) ws.close(NORMAL_CLOSURE);
    });
    return channel;
  });
  ws.on('message', (data: Buffer) => channels[(data[0] ?? 1) / 2]?.receive(data.subarray(1)));
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    for (const channel of channels) channel.destroy();
  });
  ws.resume();
}

const message = (channel: number, payload: Buffer) => Buffer.concat([Buffer.from([channel]), payload]);

function portBytes(port: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(port);
  return bytes;
}

/** The data of one port. A full one stops the WebSocket. */
class DataChannel extends Duplex {
  private readonly ws: WebSocket;
  private readonly channel: number;

  constructor(ws: WebSocket, channel: number) {
    super({ readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: BUFFER_BYTES });
    this.ws = ws;
    this.channel = channel;
  }

  receive(bytes: Buffer): void {
    if (!this.destroyed && bytes.length > 0 && !this.push(bytes)) this.ws.pause();
  }

  override _read(): void {
    if (this.ws.isPaused) this.ws.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const waits = this.ws.bufferedAmount >= BUFFER_BYTES;
    this.ws.send(message(this.channel, chunk), waits ? () => done() : () => undefined);
    if (!waits) done();
  }
}
