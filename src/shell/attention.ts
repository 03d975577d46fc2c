import type { Disposable } from '../lib/disposable.ts';

/** How long watching goes on after nobody looks any more: moving between views is no reason to connect anew. */
const lingerMs = 60_000;

export interface AttentionParts {
  /** Somebody looks, or a session is on. */
  isNeeded(): boolean;
  start(): void;
  stop(): void;
  readonly lingerMs?: number;
}

/** Watches the cluster while somebody looks, and a little longer. */
export class Attention implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private readonly parts: AttentionParts;

  constructor(parts: AttentionParts) {
    this.parts = parts;
  }

  /** What `isNeeded` says may have changed. */
  readonly update = (): void => {
    if (this.parts.isNeeded()) this.hold();
    else this.timer ??= this.later();
  };

  /** Somebody asks once. */
  touch(): void {
    this.hold();
    this.update();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private hold(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.parts.start();
  }

  private later(): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = undefined;
      if (!this.parts.isNeeded()) this.parts.stop();
    }, this.parts.lingerMs ?? lingerMs);
  }
}
