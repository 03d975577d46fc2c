import { constants, inflateRawSync } from 'node:zlib';
import { SPDY_DICTIONARY } from './dictionary.ts';
import { words } from './frames.ts';
import { SpdyProtocolError } from './parser.ts';

/** Headers of a stream; names are lower case. */
export type StreamHeaders = Readonly<Record<string, string>>;

const ZLIB_HEAD = Buffer.from([0x78, 0x01]);
/** An empty stored block: the flush that Go's reader waits for at the end of each header block (moby/spdystream). */
const FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff]);
/** A second byte of the zlib head with this bit is followed by the dictionary's checksum (RFC 1950). */
const HAS_DICTIONARY = 0x20;
const WINDOW_BYTES = 1 << 15;
/** A block is a few words; more is a decompression bomb. */
const MOST_BLOCK_BYTES = 1 << 16;

/** Writes header blocks: all of a session are one zlib stream, here of stored blocks, since a few words need no compression. */
export class HeaderBlockWriter {
  private head = ZLIB_HEAD;

  write(headers: StreamHeaders): Buffer {
    const pairs = Object.entries(headers);
    const fields = pairs.flat().flatMap(field => [words(Buffer.byteLength(field)), Buffer.from(field)]);
    const raw = Buffer.concat([words(pairs.length), ...fields]);
    const head = this.head;
    this.head = Buffer.alloc(0);
    return Buffer.concat([head, storedHead(raw.length), raw, FLUSH]);
  }
}

/** Head of a stored, not final deflate block: length and its complement, little endian (RFC 1951, section 3.2.4). */
function storedHead(length: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(~length & 0xffff, 3);
  return head;
}

/**
 * Reads header blocks. Each ends flushed, so it can be inflated by itself when the text before it is given as the
 * dictionary: that keeps reading synchronous, and frames in their order.
 */
export class HeaderBlockReader {
  private window = SPDY_DICTIONARY;
  private started = false;

  /** Throws `SpdyProtocolError` for what is no header block. */
  read(block: Buffer): StreamHeaders {
    const raw = this.inflate(this.started ? block : block.subarray(zlibHeadBytes(block)));
    this.started = true;
    this.window = Buffer.concat([this.window, raw]).subarray(-WINDOW_BYTES);
    return parseHeaders(raw);
  }

  private inflate(block: Buffer): Buffer {
    try {
      return inflateRawSync(block, {
        dictionary: this.window,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: MOST_BLOCK_BYTES,
      });
    } catch (cause) {
      throw new SpdyProtocolError('a header block cannot be inflated', { cause });
    }
  }
}

const zlibHeadBytes = (block: Buffer): number => ((block[1] ?? 0) & HAS_DICTIONARY ? 6 : 2);

function parseHeaders(raw: Buffer): StreamHeaders {
  try {
    const headers: Record<string, string> = Object.create(null) as Record<string, string>;
    let at = 4;
    const field = () => {
      const end = at + 4 + raw.readUInt32BE(at);
      if (end > raw.length) throw new RangeError('a field is longer than its block');
      const text = raw.toString('utf8', at + 4, end);
      at = end;
      return text;
    };
    for (let left = raw.readUInt32BE(0); left > 0; left--) headers[field()] = field();
    return headers;
  } catch (cause) {
    throw new SpdyProtocolError('a header block is cut short', { cause });
  }
}
