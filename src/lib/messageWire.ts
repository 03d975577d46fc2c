import { Duplex } from 'node:stream';

/** What is needed of a WebSocket of the `ws` package, on either side. */
export interface MessageSocket {
  readonly isPaused: boolean;
  /** Bytes that were sent and have not left the process. */
  readonly bufferedAmount: number;
  pause(): void;
  resume(): void;
  send(data: Buffer, done: (error?: Error) => void): void;
  close(code: number): void;
  terminate(): void;
  on(event: 'message', listener: (data: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

export interface MessageWireOptions {
  /** Goes before the payload of each message that is sent. */
  readonly prefix?: Buffer;
  /** Takes the payload out of a message; `undefined` when there is none. */
  take?(message: Buffer): Buffer | undefined;
  /** The writing side has ended; by default that closes the WebSocket. */
  onEnd?(): void;
}

const BUFFER_BYTES = 1 << 18;
/** Unsent bytes above which the next message waits; below it nothing waits, so that the way is never empty. */
const UNSENT_BYTES = 1 << 19;
const NORMAL_CLOSURE = 1000;

/** The binary messages of an open WebSocket as one stream of bytes, with back-pressure both ways. */
export class MessageWire extends Duplex {
  private readonly socket: MessageSocket;
  private readonly options: MessageWireOptions;

  /** A socket that is paused is resumed, so that messages that came with the handshake are not lost. */
  constructor(socket: MessageSocket, options: MessageWireOptions = {}) {
    super({ readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: BUFFER_BYTES });
    this.socket = socket;
    this.options = options;
    socket.on('message', data => this.takeMessage(data));
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.endReading());
    socket.resume();
  }

  override _read(): void {
    if (this.socket.isPaused) this.socket.resume();
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    const { prefix } = this.options;
    const parts = chunks.map(({ chunk }) => chunk);
    if (prefix) parts.unshift(prefix);
    let waits = true;
    this.socket.send(parts.length === 1 ? parts[0]! : Buffer.concat(parts), error => {
      if (!error && waits) done(); // a failed send is told by `close`, which may know the other side's reason
    });
    if (this.socket.bufferedAmount >= UNSENT_BYTES) return;
    waits = false;
    done();
  }

  override _final(done: (error?: Error) => void): void {
    if (this.options.onEnd) this.options.onEnd();
    else this.socket.close(NORMAL_CLOSURE);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.terminate();
    done(error);
  }

  private takeMessage(message: Buffer): void {
    const bytes = this.options.take ? this.options.take(message) : message;
    if (bytes && bytes.length > 0 && !this.push(bytes)) this.socket.pause();
  }

  private endReading(): void {
    if (this.destroyed) return;
    this.once('end', () => this.destroy());
    this.push(null);
  }
}
