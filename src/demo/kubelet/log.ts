import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { Emitter } from '../../lib/emitter.ts';

export interface LogLine {
  readonly at: Date;
  /** Without the line break. */
  readonly text: string;
}

const MOST_LINES = 10_000;

/** What one run of a container wrote: the newest lines, and the news of further ones. */
export class ContainerLog {
  private kept: LogLine[] = [];
  private readonly added = new Emitter<LogLine>();
  private readonly closed = new Emitter<void>();
  readonly onDidAdd = this.added.event;
  readonly onDidEnd = this.closed.event;
  ended = false;

  get lines(): readonly LogLine[] {
    return this.kept;
  }

  /** Standard output and error are kept apart until the line is whole. */
  read(stream: Readable): void {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    stream.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(line => this.add(line));
    });
    stream.on('end', () => {
      if (rest !== '') this.add(rest);
    });
  }

  end(): void {
    this.ended = true;
    this.closed.fire();
    this.added.dispose();
    this.closed.dispose();
  }

  private add(text: string): void {
    const line = { at: new Date(), text };
    this.kept.push(line);
    if (this.kept.length > MOST_LINES * 1.1) this.kept = this.kept.slice(-MOST_LINES);
    this.added.fire(line);
  }
}
