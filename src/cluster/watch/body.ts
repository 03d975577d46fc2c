import type { IncomingMessage } from 'node:http';
import { LineSplitter } from '../../lib/lines.ts';

/** A connection over which nothing came for too long; it may be deaf. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor(limitMs: number) {
    super(`nothing came for ${limitMs} ms`);
  }
}

/** Limits of reading a response. */
export interface ReadOptions {
  /** Longest silence from now on, in milliseconds; throws `SilenceError` after it. The time that the caller takes does not count. */
  readonly idleMs: () => number;
  /** Ends the response, and reading fails. */
  readonly signal: AbortSignal;
}

/**
 * The lines of a response (as Latin-1, see `LineSplitter`), as many at a time as have come. Reading at the caller's pace keeps memory bounded. The
 * response is destroyed however reading ends. Throws when the connection is cut, also inside a line.
 */
export async function* linesOf(response: IncomingMessage, options: ReadOptions): AsyncGenerator<string[], void, void> {
  const splitter = new LineSplitter();
  for await (const chunk of chunksOf(response, options)) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  if (splitter.isInsideLine) throw new Error('the connection was cut inside an event');
}

/** The whole of a response. Throws when the connection is cut. */
export async function bodyOf(response: IncomingMessage, options: ReadOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunksOf(
  response: IncomingMessage,
  { idleMs, signal }: ReadOptions,
): AsyncGenerator<Buffer, void, void> {
  const silence = new Silence(limitMs => response.destroy(new SilenceError(limitMs)));
  const stop = () => response.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    silence.expect(idleMs());
    for await (const chunk of response as AsyncIterable<Buffer>) {
      yield chunk;
      silence.expect(idleMs());
    }
  } finally {
    silence.end();
    signal.removeEventListener('abort', stop);
    response.destroy();
  }
}

/** A timer that is set anew with every chunk, cheaply as long as its limit stays the same. */
class Silence {
  private readonly onOver: (limitMs: number) => void;
  private timer: NodeJS.Timeout | undefined;
  private limitMs = 0;

  constructor(onOver: (limitMs: number) => void) {
    this.onOver = onOver;
  }

  expect(limitMs: number) {
    if (this.timer && limitMs === this.limitMs) {
      this.timer.refresh();
      return;
    }
    this.end();
    this.limitMs = limitMs;
    this.timer = setTimeout(() => this.onOver(limitMs), limitMs);
  }

  end() {
    clearTimeout(this.timer);
  }
}
