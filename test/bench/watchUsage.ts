/** What one process used, in milliseconds of CPU and bytes. */
export interface Usage {
  readonly listMs: number;
  readonly changesMs: number;
  /** Peak over what the process had at its start. */
  readonly memory: number;
}

/** Counts from its construction: loading code is not watching. */
export class Meter {
  private readonly start = process.cpuUsage();
  private readonly atStart = process.memoryUsage.rss();
  private listMs: number | undefined;

  /** The list has come: notes what it took, and tells the parent, which lets the changes begin. */
  listed(): void {
    if (this.listMs !== undefined) return;
    this.listMs = this.cpuMs();
    process.send?.('listed');
  }

  /** The last change has come: tells the parent what was used, and ends the process. */
  finished(): void {
    const memory = process.resourceUsage().maxRSS * 1024 - this.atStart;
    const usage: Usage = { listMs: this.listMs!, changesMs: this.cpuMs() - this.listMs!, memory };
    process.send?.(usage, () => process.exit());
  }

  private cpuMs(): number {
    const { user, system } = process.cpuUsage(this.start);
    return (user + system) / 1000;
  }
}
