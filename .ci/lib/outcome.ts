/** What came of some checks. */
export class Outcome {
  passed = 0;
  readonly failed: string[] = [];
  /** Names, with the reason where there is one. */
  readonly skipped: string[] = [];

  /** `42 passed, 1 failed, 2 skipped`: the line about one layer. */
  get summary(): string {
    const parts = [`${this.passed} passed`];
    if (this.failed.length > 0) parts.push(`${this.failed.length} failed`);
    if (this.skipped.length > 0) parts.push(`${this.skipped.length} skipped`);
    return parts.join(', ');
  }

  add(other: Outcome): void {
    this.passed += other.passed;
    this.failed.push(...other.failed);
    this.skipped.push(...other.skipped);
  }
}
