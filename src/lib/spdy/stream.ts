import { Duplex } from 'node:stream';
import { lend } from '../lending.ts';
import { FIN } from './frames.ts';

/** What a stream needs of its session. */
export interface StreamCarrier {
  /** Sends a data frame; `done` is called when more may be written. */
  sendData(streamId: number, chunk: Buffer, flags: number, done?: (error?: Error) => void): void;
  sendReset(stream: SpdyStream): void;
  /** The stream needs no more frames: both directions ended, or it was destroyed. */
  release(stream: SpdyStream): void;
  /** The reader has room again. */
  unstall(stream: SpdyStream): void;
}

/** The other side reset a stream. `status` as in SPDY Protocol, draft 3, section 2.6.3. */
export class StreamResetError extends Error {
  override readonly name = 'StreamResetError';
  readonly status: number;

  constructor(status: number) {
    super(`the other side reset the stream (status ${status})`);
    this.status = status;
  }
}

const EMPTY = Buffer.alloc(0);
const WRITE_BUFFER_BYTES = 1 << 16;

/** One stream of a session. Destroying it before both directions ended resets it. */
export class SpdyStream extends Duplex {
  readonly id: number;
  private readonly carrier: StreamCarrier;
  private sentFin = false;
  private gotFin = false;
  private endIsHeld = false;

  constructor(carrier: StreamCarrier, id: number, readBufferBytes: number) {
    super({
      allowHalfOpen: true,
      readableHighWaterMark: readBufferBytes,
      writableHighWaterMark: WRITE_BUFFER_BYTES,
    });
    this.carrier = carrier;
    this.id = id;
  }

  /** Whether the other side has ended its direction, also when the reader has not been told yet. */
  get remoteEnded(): boolean {
    return this.gotFin;
  }

  /** Keeps the end of the other side from the reader until `releaseEnd`. */
  holdEnd(): void {
    this.endIsHeld = true;
  }

  releaseEnd(): void {
    this.endIsHeld = false;
    if (this.gotFin && !this.destroyed) this.push(null);
  }

  /** For the session: the frame that opened the stream already ended our direction. */
  openedWithFin(): void {
    this.sentFin = true;
    this.end();
  }

  /** For the session: payload that came. Returns whether there is room for more. */
  takeData(piece: Buffer): boolean {
    if (this.destroyed || this.gotFin) return true;
    return lend(this, piece) || this.readableLength < this.readableHighWaterMark;
  }

  /** For the session: the other side ended its direction. */
  takeEnd(): void {
    if (this.gotFin || this.destroyed) return;
    this.gotFin = true;
    if (this.sentFin) this.carrier.release(this);
    if (this.endIsHeld) this.emit('endHeld');
    else this.push(null);
  }

  /** For the session: the other side reset the stream. */
  takeReset(status: number): void {
    this.gotFin = true;
    this.sentFin = true;
    this.destroy(new StreamResetError(status));
  }

  override _read(): void {
    this.carrier.unstall(this);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.carrier.sendData(this.id, chunk, 0, done);
  }

  override _final(done: (error?: Error) => void): void {
    if (!this.sentFin) {
      this.sentFin = true;
      this.carrier.sendData(this.id, EMPTY, FIN);
      if (this.gotFin) this.carrier.release(this);
    }
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.sentFin || !this.gotFin) this.carrier.sendReset(this);
    this.carrier.release(this);
    done(error);
  }
}
