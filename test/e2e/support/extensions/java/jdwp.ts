// The part of the Java Debug Wire Protocol that an attach, a breakpoint and a call stack need. Numbers of command sets,
// commands and event kinds are those of the JDWP specification.
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { byte, int, type Location, locationBytes, long, Reader, string } from './wire.ts';

const HANDSHAKE = 'JDWP-Handshake';
const HEADER_BYTES = 11;
const EVENT_COMPOSITE = 64 * 256 + 100;
const ALL_FRAMES = 0xffffffff;

/** What stops with an event: nothing, the event's thread, or everything. */
export const suspend = { none: 0, thread: 1, all: 2 } as const;
const kinds = { breakpoint: 2, classPrepare: 8, vmStart: 90, vmDeath: 99 } as const;
const modifiers = { location: 7, sourceName: 12 } as const;

export interface LoadedClass {
  readonly tag: number;
  readonly type: bigint;
  readonly signature: string;
}

export type VmEvent =
  | { readonly kind: 'breakpoint'; readonly thread: bigint }
  | ({ readonly kind: 'classPrepare' } & LoadedClass)
  | { readonly kind: 'vmStart' | 'vmDeath' };

interface Waiting {
  resolve: (reader: Reader) => void;
  reject: (error: Error) => void;
}

/** A debugger's end of a connection to a JVM. */
export class Jdwp extends EventEmitter<{ events: [policy: number, events: VmEvent[]]; close: [] }> {
  private readonly socket: Socket;
  private readonly waiting = new Map<number, Waiting>();
  private unread = Buffer.alloc(0);
  private lastId = 0;

  private constructor(socket: Socket) {
    super();
    this.socket = socket;
    socket.on('data', chunk => this.read(chunk));
    socket.on('error', () => undefined); // "close" follows
    socket.on('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the connection to the JVM was closed'));
      this.waiting.clear();
      this.emit('close');
    });
  }

  /** Connects and shakes hands. Throws when the other end is no JVM, or closes. */
  static async connect(host: string, port: number): Promise<Jdwp> {
    const jdwp = new Jdwp(await shakeHands(host, port));
    const sizes = await jdwp.send(1, 7);
    if (!Array.from({ length: 5 }, () => sizes.int()).every(size => size === 8)) throw new Error('unexpected id sizes');
    return jdwp;
  }

  /** `VirtualMachine.Version`: the version of the JVM. */
  async version(): Promise<string> {
    const reader = await this.send(1, 1);
    reader.string();
    reader.int();
    reader.int();
    return reader.string();
  }

  async classes(): Promise<LoadedClass[]> {
    const reader = await this.send(1, 3);
    return reader.list(() => {
      const found = { tag: reader.byte(), type: reader.id(), signature: reader.string() };
      reader.int(); // status
      return found;
    });
  }

  async threads(): Promise<bigint[]> {
    const reader = await this.send(1, 4);
    return reader.list(() => reader.id());
  }

  async threadName(thread: bigint): Promise<string> {
    return (await this.send(11, 1, long(thread))).string();
  }

  async frames(thread: bigint): Promise<Location[]> {
    const reader = await this.send(11, 6, long(thread), int(0), int(ALL_FRAMES));
    return reader.list(() => {
      reader.id(); // of the frame
      return reader.location();
    });
  }

  /** Name of the source file, undefined where the class was compiled without. */
  async sourceFile(type: bigint): Promise<string | undefined> {
    return (await this.send(2, 7, long(type)).catch(() => undefined))?.string();
  }

  async signature(type: bigint): Promise<string> {
    return (await this.send(2, 1, long(type))).string();
  }

  async methods(type: bigint): Promise<{ id: bigint; name: string }[]> {
    const reader = await this.send(2, 5, long(type));
    return reader.list(() => {
      const method = { id: reader.id(), name: reader.string() };
      reader.string(); // signature
      reader.int(); // modifiers
      return method;
    });
  }

  /** The line table of a method; empty for native ones. */
  async lines(type: bigint, method: bigint): Promise<{ index: bigint; line: number }[]> {
    const reader = await this.send(6, 1, long(type), long(method)).catch(() => undefined);
    if (!reader) return [];
    reader.long(); // start
    reader.long(); // end
    return reader.list(() => ({ index: reader.long(), line: reader.int() }));
  }

  /** Returns the number of the request, for `clearBreakpoint`. */
  async setBreakpoint(location: Location): Promise<number> {
    const modifier = Buffer.concat([byte(modifiers.location), locationBytes(location)]);
    return (await this.send(15, 1, byte(kinds.breakpoint), byte(suspend.all), int(1), modifier)).int();
  }

  async clearBreakpoint(request: number): Promise<void> {
    await this.send(15, 2, byte(kinds.breakpoint), int(request));
  }

  /** Stops the JVM whenever it prepares a class of this source file. */
  async watchClasses(sourceName: string): Promise<void> {
    const modifier = Buffer.concat([byte(modifiers.sourceName), string(sourceName)]);
    await this.send(15, 1, byte(kinds.classPrepare), byte(suspend.all), int(1), modifier);
  }

  async suspendAll(): Promise<void> {
    await this.send(1, 8);
  }

  async resumeAll(): Promise<void> {
    await this.send(1, 9);
  }

  /** Leaves; the JVM drops every request of this debugger and goes on. */
  async dispose(): Promise<void> {
    await this.send(1, 6).catch(() => undefined);
    this.socket.end();
  }

  private send(set: number, command: number, ...parts: Buffer[]): Promise<Reader> {
    const data = Buffer.concat(parts);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.write(
        Buffer.concat([int(HEADER_BYTES + data.length), int(id), byte(0), byte(set), byte(command), data]),
      );
    });
  }

  private read(chunk: Buffer): void {
    this.unread = Buffer.concat([this.unread, chunk]);
    while (this.unread.length >= HEADER_BYTES && this.unread.length >= this.unread.readUInt32BE(0)) {
      const length = this.unread.readUInt32BE(0);
      const packet = this.unread.subarray(0, length);
      this.unread = this.unread.subarray(length);
      if (packet.readUInt8(8) & 0x80) this.reply(packet);
      else if (packet.readUInt16BE(9) === EVENT_COMPOSITE) this.events(new Reader(packet.subarray(HEADER_BYTES)));
    }
  }

  private reply(packet: Buffer): void {
    const id = packet.readUInt32BE(4);
    const error = packet.readUInt16BE(9);
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === 0) waiting?.resolve(new Reader(packet.subarray(HEADER_BYTES)));
    else waiting?.reject(new Error(`JDWP error ${error}`));
  }

  private events(reader: Reader): void {
    const policy = reader.byte();
    this.emit(
      'events',
      policy,
      reader.list(() => readEvent(reader)),
    );
  }
}

function readEvent(reader: Reader): VmEvent {
  const kind = reader.byte();
  reader.int(); // the request
  switch (kind) {
    case kinds.breakpoint: {
      const thread = reader.id();
      reader.location();
      return { kind: 'breakpoint', thread };
    }
    case kinds.classPrepare: {
      reader.id(); // the thread
      const loaded = { tag: reader.byte(), type: reader.id(), signature: reader.string() };
      reader.int(); // status
      return { kind: 'classPrepare', ...loaded };
    }
    case kinds.vmStart:
      reader.id(); // the thread
      return { kind: 'vmStart' };
    case kinds.vmDeath:
      return { kind: 'vmDeath' };
    default:
      throw new Error(`unexpected JDWP event ${kind}`);
  }
}

/** JDWP specification, "The transport and handshake": both sides send the same 14 bytes. */
async function shakeHands(host: string, port: number): Promise<Socket> {
  const socket = connect(port, host);
  socket.write(HANDSHAKE);
  const answer = await new Promise<string>((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const read = () => {
      for (let chunk: Buffer | null; bytes.length < HANDSHAKE.length; bytes = Buffer.concat([bytes, chunk])) {
        chunk = socket.read(HANDSHAKE.length - bytes.length) as Buffer | null;
        if (!chunk) return;
      }
      socket.off('readable', read);
      resolve(bytes.toString('latin1'));
    };
    socket.on('readable', read);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed during the JDWP handshake')));
  });
  if (answer === HANDSHAKE) return socket;
  socket.destroy();
  throw new Error(`not a JVM: it answered ${JSON.stringify(answer)}`);
}
