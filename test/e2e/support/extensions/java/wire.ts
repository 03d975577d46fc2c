// The bytes of the Java Debug Wire Protocol (JDWP specification, "Packets" and "Detailed Command Information").

/** Reads the values of a packet one after the other. */
export class Reader {
  private readonly bytes: Buffer;
  private offset = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    return this.bytes.readUInt8(this.skip(1));
  }

  int(): number {
    return this.bytes.readInt32BE(this.skip(4));
  }

  long(): bigint {
    return this.bytes.readBigUInt64BE(this.skip(8));
  }

  /** HotSpot's ids all have eight bytes; `Jdwp.connect` has checked that. */
  id(): bigint {
    return this.long();
  }

  string(): string {
    const length = this.int();
    const start = this.skip(length);
    return this.bytes.toString('utf8', start, start + length);
  }

  location(): Location {
    return { tag: this.byte(), type: this.id(), method: this.id(), index: this.long() };
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.int() }, read);
  }

  private skip(length: number): number {
    const start = this.offset;
    this.offset += length;
    return start;
  }
}

/** A place in the bytecode of a method. */
export interface Location {
  readonly tag: number;
  readonly type: bigint;
  readonly method: bigint;
  readonly index: bigint;
}

export const byte = (value: number): Buffer => Buffer.from([value]);

export function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function long(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

export const string = (value: string): Buffer => Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)]);

export const locationBytes = ({ tag, type, method, index }: Location): Buffer =>
  Buffer.concat([byte(tag), long(type), long(method), long(index)]);
