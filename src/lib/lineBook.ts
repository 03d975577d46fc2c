import { forgetOldest } from './forgetOldest.ts';

/** The last lines of several writers, each its own; of too many writers the first ones are forgotten. */
export class LineBook {
  private readonly writers = new Map<string, string[]>();
  private readonly mostLines: number;
  private readonly mostWriters: number;

  constructor(mostLines = 5_000, mostWriters = 100) {
    this.mostLines = mostLines;
    this.mostWriters = mostWriters;
  }

  add(writer: string, lines: readonly string[]): void {
    const kept = this.writers.get(writer) ?? [];
    for (const line of lines) kept.push(line);
    // Cut in steps, so that a flood does not copy all for each line.
    this.writers.set(writer, kept.length >= 2 * this.mostLines ? kept.slice(-this.mostLines) : kept);
    forgetOldest(this.writers, this.mostWriters);
  }

  /** The last lines of a writer, oldest first. */
  of(writer: string): readonly string[] {
    return (this.writers.get(writer) ?? []).slice(-this.mostLines);
  }
}
