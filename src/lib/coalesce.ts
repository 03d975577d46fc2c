import type { Disposable } from './disposable.ts';

/** Merges many calls within `waitMs` into one run, so that a burst of changes redraws once. */
export class Coalesced implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private readonly run: () => void;
  private readonly waitMs: number;

  constructor(waitMs: number, run: () => void) {
    this.waitMs = waitMs;
    this.run = run;
  }

  readonly call = (): void => {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.run();
    }, this.waitMs);
  };

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
