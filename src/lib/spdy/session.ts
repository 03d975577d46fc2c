import type { Duplex } from 'node:stream';
import { Emitter } from '../emitter.ts';
import { borrow } from '../lending.ts';
import { CANCEL, controlFrame, dataHead, FIN, FrameType, goAway, LAST_ID, ping, rstStream } from './frames.ts';
import { synReply, synStream } from './frames.ts';
import { HeaderBlockReader, HeaderBlockWriter, type StreamHeaders } from './headerBlock.ts';
import { FrameParser } from './parser.ts';
import { Pings } from './pings.ts';
import { type StreamCarrier, SpdyStream } from './stream.ts';

export interface SpdySessionOptions {
  /** Clients open streams with odd IDs, servers answer them. */
  readonly role: 'client' | 'server';
  /** Bytes that came together with the HTTP upgrade. */
  readonly head?: Buffer;
  /** Unread bytes that one stream may hold before the session stops reading. */
  readonly streamBufferBytes?: number;
  /** Lower 31 bits, odd: for tests of what happens when IDs run out. */
  readonly firstStreamId?: number;
  /** A stream that the other side opens; `accept` or destroy it. Without it they are ignored. */
  onStream?(stream: SpdyStream, headers: StreamHeaders): void;
}

const STREAM_BUFFER_BYTES = 1 << 20;
/** Unsent bytes of a session above which its streams wait. */
const UNSENT_BYTES = 1 << 19;
const CLOSE_LINGER_MS = 1000;

/**
 * One end of SPDY/3.1 over any connected duplex: streams, pings, nothing else (no SETTINGS, no HEADERS, no windows:
 * moby/spdystream, the peer in Kubernetes, has none either). A stream whose reader stalls therefore stops the session.
 */
export class SpdySession implements StreamCarrier {
  private readonly wire: Duplex;
  private readonly options: SpdySessionOptions;
  private readonly streams = new Map<number, SpdyStream>();
  private readonly stalled = new Set<SpdyStream>();
  private blocked: (() => void)[] = [];
  private readonly headersOut = new HeaderBlockWriter();
  private readonly headersIn = new HeaderBlockReader();
  private readonly pings: Pings;
  private readonly closing = new Emitter<Error | undefined>();
  private nextStreamId: number;
  private isClosed = false;
  private goingAway = false;
  private chunks = 0;

  /** Fires once, with the error unless this side closed. */
  readonly onClose = this.closing.event;

  constructor(wire: Duplex, options: SpdySessionOptions) {
    this.wire = wire;
    this.options = options;
    this.nextStreamId = options.firstStreamId ?? 1;
    this.pings = new Pings(options.role === 'client' ? 1 : 2, id => this.write(ping(id)));
    this.listen(options.head);
  }

  get closed(): boolean {
    return this.isClosed;
  }

  /** Whether it takes `streams` more streams. */
  canOpen(streams: number): boolean {
    return !this.isClosed && !this.goingAway && this.nextStreamId + 2 * (streams - 1) <= LAST_ID;
  }

  /** Whether it reads nothing because of a slow reader, or cannot write: silence then proves nothing. */
  get congested(): boolean {
    return this.stalled.size > 0 || this.blocked.length > 0;
  }

  /** Streams that are open. */
  get streamCount(): number {
    return this.streams.size;
  }

  /** Grows with everything that is heard of the other side. */
  get heard(): number {
    return this.chunks;
  }

  /** Opens a stream. Usable at once: the other side's reply need not be awaited. `ended`: we send nothing on it. */
  open(headers: StreamHeaders, { ended = false } = {}): SpdyStream {
    if (!this.canOpen(1)) throw new Error('the session takes no more streams');
    const stream = this.addStream(this.nextStreamId);
    this.nextStreamId += 2;
    this.write(synStream(stream.id, ended ? FIN : 0, this.headersOut.write(headers)));
    if (ended) stream.openedWithFin();
    return stream;
  }

  /** Accepts a stream that the other side opened. */
  accept(stream: SpdyStream): void {
    this.write(synReply(stream.id, this.headersOut.write({})));
  }

  /** Collects what is written in `work` into one write to the wire. */
  together(work: () => void): void {
    this.wire.cork();
    work();
    this.wire.uncork();
  }

  /** Round trip in milliseconds; rejects when the session ends first. */
  ping(): Promise<number> {
    return this.isClosed ? Promise.reject(new Error('the session is closed')) : this.pings.send();
  }

  /** Resets what is open, says goodbye, ends the connection. */
  close(): void {
    if (this.isClosed) return;
    for (const stream of [...this.streams.values()]) stream.destroy();
    this.write(goAway(0));
    this.wire.end();
    this.finish(undefined);
    setTimeout(() => this.wire.destroy(), CLOSE_LINGER_MS).unref();
  }

  /** Ends the session and destroys its streams with `error`. */
  destroy(error: Error): void {
    if (this.isClosed) return;
    this.finish(error);
    this.wire.destroy();
  }

  sendData(streamId: number, chunk: Buffer, flags: number, done?: (error?: Error) => void): void {
    if (this.isClosed) return done?.(new Error('the session is closed'));
    this.wire.cork();
    let more = this.wire.write(dataHead(streamId, chunk.length, flags));
    if (chunk.length > 0) more = this.wire.write(chunk);
    this.wire.uncork();
    if (!done) return;
    if (more || this.wire.writableLength < UNSENT_BYTES) done();
    else this.blocked.push(done);
  }

  sendReset(stream: SpdyStream): void {
    if (this.streams.has(stream.id)) this.write(rstStream(stream.id, CANCEL));
  }

  release(stream: SpdyStream): void {
    this.streams.delete(stream.id);
    this.unstall(stream);
  }

  unstall(stream: SpdyStream): void {
    if (this.stalled.delete(stream) && this.stalled.size === 0 && !this.isClosed) this.wire.resume();
  }

  private listen(head: Buffer | undefined): void {
    const parser = new FrameParser({
      onData: (id, piece, flags, last) => this.takeData(id, piece, flags, last),
      onControl: (type, flags, body) => this.takeControl(type, flags, body),
    });
    borrow(this.wire, piece => this.feed(parser, piece));
    this.wire.on('drain', () => {
      const waiting = this.blocked;
      this.blocked = [];
      for (const done of waiting) done();
    });
    this.wire.on('error', error => this.destroy(error));
    this.wire.on('end', () => this.destroy(new Error('the other side closed the connection')));
    this.wire.on('close', () => this.destroy(new Error('the connection was lost')));
    if (head && head.length > 0) this.wire.unshift(head);
  }

  private feed(parser: FrameParser, chunk: Buffer): void {
    if (this.isClosed) return;
    this.chunks++;
    try {
      parser.feed(chunk);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  private takeData(id: number, piece: Buffer, flags: number, last: boolean): void {
    const stream = this.streams.get(id);
    if (!stream) return;
    if (piece.length > 0 && !stream.takeData(piece)) {
      this.stalled.add(stream);
      this.wire.pause();
    }
    if (last && flags & FIN) stream.takeEnd();
  }

  private takeControl(type: number, flags: number, body: Buffer): void {
    if (body.length < 4) return;
    const id = body.readUInt32BE(0) & LAST_ID;
    if (type === FrameType.synStream) this.takeStream(id, flags, body);
    else if (type === FrameType.synReply && flags & FIN) this.streams.get(id)?.takeEnd();
    else if (type === FrameType.rstStream) this.streams.get(id)?.takeReset(body.readUInt32BE(body.length - 4));
    else if (type === FrameType.goAway) this.goingAway = true;
    else if (type === FrameType.ping && !this.pings.take(id)) this.write(controlFrame(FrameType.ping, 0, body));
  }

  private takeStream(id: number, flags: number, body: Buffer): void {
    if (!this.options.onStream || this.streams.has(id)) return;
    const headers = this.headersIn.read(body.subarray(10));
    const stream = this.addStream(id);
    this.options.onStream(stream, headers);
    if (flags & FIN) stream.takeEnd();
  }

  private addStream(id: number): SpdyStream {
    const stream = new SpdyStream(this, id, this.options.streamBufferBytes ?? STREAM_BUFFER_BYTES);
    this.streams.set(id, stream);
    return stream;
  }

  private write(frame: Buffer): void {
    if (!this.isClosed && this.wire.writable) this.wire.write(frame);
  }

  private finish(error: Error | undefined): void {
    this.isClosed = true;
    this.blocked = [];
    const why = error ?? new Error('the session was closed');
    this.pings.fail(why);
    for (const stream of [...this.streams.values()]) stream.destroy(why);
    this.closing.fire(error);
  }
}
