/** Looks how long the event loop has to wait for its next turn. */
export class LoopProbe {
  private turns = 0;
  private longestMs = 0;
  private readonly start = mainThreadMs();
  private before = this.start;
  private next = setImmediate(() => this.turn());

  /** What it saw until now, in milliseconds of CPU time; it sees no more. */
  end(): Readonly<{ cpuMs: number; turns: number; longestMs: number }> {
    clearImmediate(this.next);
    this.look();
    return { cpuMs: this.before - this.start, turns: this.turns, longestMs: this.longestMs };
  }

  private turn(): void {
    this.look();
    this.next = setImmediate(() => this.turn());
  }

  private look(): void {
    const now = mainThreadMs();
    this.turns++;
    this.longestMs = Math.max(this.longestMs, now - this.before);
    this.before = now;
  }
}

/** CPU time and not a clock: what other processes do does not count. */
function mainThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
