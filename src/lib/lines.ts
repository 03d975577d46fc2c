const LINE_FEED = 10;

/** Cuts a stream of bytes into lines. A line that lies in one chunk is a view of it; only one that spans chunks is copied. */
export class LineSplitter {
  private parts: Buffer[] = [];
  private held = 0;
  private readonly mostBytes: number;

  /** `mostBytes` bounds what is held of a line that does not end. */
  constructor(mostBytes = 32 << 20) {
    this.mostBytes = mostBytes;
  }

  /** Bytes of the line that has not ended yet. */
  get pending(): number {
    return this.held;
  }

  /** The lines that end in this chunk, without line feed and without empty ones. Throws when a line is too long. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = this.finish(chunk.subarray(from, end));
      if (line.length > 0) lines.push(line);
      from = end + 1;
    }
    if (from < chunk.length) this.hold(chunk.subarray(from));
    return lines;
  }

  private hold(part: Buffer) {
    this.parts.push(part);
    this.held += part.length;
    if (this.held > this.mostBytes) throw new RangeError(`a line is longer than ${this.mostBytes} bytes`);
  }

  private finish(last: Buffer): Buffer {
    if (this.held === 0) return last;
    const line = Buffer.concat([...this.parts, last], this.held + last.length);
    this.parts = [];
    this.held = 0;
    return line;
  }
}
