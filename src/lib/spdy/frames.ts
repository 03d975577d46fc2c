// Frames of SPDY/3.1 (SPDY Protocol, draft 3.1, section 2.6): an 8-byte head, then the payload.

/** Control frames that are spoken here; others are skipped. */
export const FrameType = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  ping: 6,
  goAway: 7,
} as const;

/** Flag of SYN_STREAM, SYN_REPLY and data frames: nothing follows in this direction. */
export const FIN = 1;
/** Status of RST_STREAM: the one that sends it is no longer interested. */
export const CANCEL = 5;
/** Stream and ping IDs have 31 bits. */
export const LAST_ID = 0x7fff_ffff;
/** Bytes before the payload of every frame. */
export const HEAD_BYTES = 8;

const CONTROL_BIT = 0x8000_0000;
const VERSION = 3;

/** The head of a data frame; its `length` bytes follow. */
export function dataHead(streamId: number, length: number, flags: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt32BE(flags * 0x100_0000 + length, 4);
  return head;
}

/** A whole control frame. */
export function controlFrame(type: number, flags: number, body: Buffer): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(CONTROL_BIT + VERSION * 0x1_0000 + type, 0);
  head.writeUInt32BE(flags * 0x100_0000 + body.length, 4);
  return Buffer.concat([head, body]);
}

/** Opens a stream of normal priority; `block` is the compressed header block. */
export const synStream = (streamId: number, flags: number, block: Buffer): Buffer =>
  controlFrame(FrameType.synStream, flags, Buffer.concat([words(streamId, 0), Buffer.alloc(2), block]));

/** Accepts a stream. */
export const synReply = (streamId: number, block: Buffer): Buffer =>
  controlFrame(FrameType.synReply, 0, Buffer.concat([words(streamId), block]));

export const rstStream = (streamId: number, status: number): Buffer =>
  controlFrame(FrameType.rstStream, 0, words(streamId, status));

export const ping = (id: number): Buffer => controlFrame(FrameType.ping, 0, words(id));

/** Takes no more streams; `lastStreamId` is the last one that was taken. */
export const goAway = (lastStreamId: number): Buffer => controlFrame(FrameType.goAway, 0, words(lastStreamId, 0));

/** Unsigned 32-bit numbers in network order. */
export function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.allocUnsafe(4 * values.length);
  values.forEach((value, index) => buffer.writeUInt32BE(value, 4 * index));
  return buffer;
}
