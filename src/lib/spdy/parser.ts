import { HEAD_BYTES, LAST_ID } from './frames.ts';

/** What a parser finds. */
export interface FrameHandler {
  /**
   * A piece of a data frame's payload, a part of what was fed; `last` with the frame's final piece (which is empty for an
   * empty frame).
   */
  onData(streamId: number, piece: Buffer, flags: number, last: boolean): void;
  /** A whole control frame. */
  onControl(type: number, flags: number, body: Buffer): void;
}

/** The other side does not speak SPDY/3.1, or breaks its rules. */
export class SpdyProtocolError extends Error {
  override readonly name = 'SpdyProtocolError';
}

/** Control frames carry headers and numbers; one above this is nonsense, not to be held in memory. */
const MOST_CONTROL_BYTES = 1 << 20;
const CONTROL_VERSION = 0x8003;

/** Takes frames out of a stream of bytes, however it is cut. Payload of data frames is passed on uncopied and unbuffered. */
export class FrameParser {
  private readonly handler: FrameHandler;
  private readonly head = Buffer.alloc(HEAD_BYTES);
  private headBytes = 0;
  /** Bytes of the current frame's payload that have not come yet. */
  private missing = 0;
  private flags = 0;
  private streamId = 0;
  private control: { type: number; body: Buffer } | undefined;

  constructor(handler: FrameHandler) {
    this.handler = handler;
  }

  /** Throws `SpdyProtocolError` at the first head that is none; nothing may be fed after that. */
  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.missing > 0 ? this.takePayload(chunk, at) : this.takeHead(chunk, at);
  }

  private takeHead(chunk: Buffer, at: number): number {
    const end = at + Math.min(HEAD_BYTES - this.headBytes, chunk.length - at);
    chunk.copy(this.head, this.headBytes, at, end);
    this.headBytes += end - at;
    if (this.headBytes === HEAD_BYTES) this.startFrame();
    return end;
  }

  private startFrame(): void {
    this.headBytes = 0;
    this.flags = this.head.readUInt8(4);
    this.missing = this.head.readUIntBE(5, 3);
    const word = this.head.readUInt32BE(0);
    this.control = undefined;
    if (word > LAST_ID) this.startControl(word);
    else this.streamId = word;
    if (this.missing === 0) this.endFrame(EMPTY);
  }

  private startControl(word: number): void {
    if (word >>> 16 !== CONTROL_VERSION || this.missing > MOST_CONTROL_BYTES)
      throw new SpdyProtocolError(`expected a SPDY/3.1 frame, got the bytes ${this.head.toString('hex')}`);
    this.control = { type: word & 0xffff, body: Buffer.allocUnsafe(this.missing) };
  }

  private takePayload(chunk: Buffer, at: number): number {
    const end = at + Math.min(this.missing, chunk.length - at);
    if (this.control) chunk.copy(this.control.body, this.control.body.length - this.missing, at, end);
    this.missing -= end - at;
    const piece = chunk.subarray(at, end);
    if (this.missing === 0) this.endFrame(piece);
    else if (!this.control) this.handler.onData(this.streamId, piece, this.flags, false);
    return end;
  }

  private endFrame(lastPiece: Buffer): void {
    if (this.control) this.handler.onControl(this.control.type, this.flags, this.control.body);
    else this.handler.onData(this.streamId, lastPiece, this.flags, true);
  }
}

const EMPTY = Buffer.alloc(0);
