/**
 * Cuts a stream of bytes into lines, as Latin-1: one character a byte, so that cutting inside a UTF-8 sequence harms nothing
 * and searching needs no decoding. `utf8Of` gives the text of a line. Strings, since many small buffers cost far more.
 */
export class LineSplitter {
  private pending = '';
  private readonly mostBytes: number;

  /** `mostBytes` bounds what is held of a line that does not end. */
  constructor(mostBytes = 32 << 20) {
    this.mostBytes = mostBytes;
  }

  /** Whether the last line has not ended. */
  get isInsideLine(): boolean {
    return this.pending !== '';
  }

  /** The lines that end in this chunk, without line feed and without empty ones. Throws `RangeError` when a line is too long. */
  push(chunk: Buffer): string[] {
    const text = chunk.toString('latin1');
    const lines: string[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = this.pending + text.slice(from, end);
      this.pending = '';
      if (line) lines.push(line);
      from = end + 1;
    }
    this.pending += text.slice(from);
    if (this.pending.length > this.mostBytes) throw new RangeError(`a line is longer than ${this.mostBytes} bytes`);
    return lines;
  }
}

/** The text of UTF-8 bytes that are kept as Latin-1. */
export const utf8Of = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();
