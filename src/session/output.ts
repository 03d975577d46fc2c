import { stripVTControlCharacters } from 'node:util';

/** Where a line of the Debug Console comes from. */
export type Category = 'console' | 'stdout' | 'stderr';

/** Writes whole lines to the Debug Console. */
export type Say = (line: string, category?: Category) => void;

/** A line that does not end is shown in pieces of this length. */
const MOST_CHARACTERS = 16_384;

/** Cuts what a program prints into lines that the console can show. */
export class OutputLines {
  private pending = '';
  private readonly onLine: (line: string) => void;

  constructor(onLine: (line: string) => void) {
    this.onLine = onLine;
  }

  push(text: string): void {
    const lines = (this.pending + text).split(/\r?\n/);
    this.pending = lines.pop()!;
    for (const line of lines) this.onLine(coloured(line));
    if (this.pending.length > MOST_CHARACTERS) this.end();
  }

  /** No more will come: a last line without an end is shown, too. */
  end(): void {
    if (this.pending) this.onLine(coloured(this.pending));
    this.pending = '';
  }
}

/** Colours and weights (ECMA-48, SGR). */
const SGR = /\u001b\[[0-9;:]*m/g;
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const RESET = '\u001b[0m';

/** A line with its colours, which end with it, and nothing else that a terminal would obey. */
export function coloured(line: string): string {
  const colours = line.match(SGR) ?? [];
  const texts = line.split(SGR).map(text => stripVTControlCharacters(text).replace(CONTROL, ''));
  const joined = texts.map((text, at) => text + (colours[at] ?? '')).join('');
  return colours.length === 0 || joined.endsWith(RESET) ? joined : joined + RESET;
}
