import type { Connection } from '../../lib/connection.ts';
import type { Disposable } from '../../lib/disposable.ts';

/** An open connection that waits for the next local client. */
export interface HandOver {
  readonly connection: Connection;
  greet?(client: Connection): Promise<void>;
  /** Closed after so long without a client. */
  readonly keepMs: number;
}

/** `setTimeout` takes no more; `Infinity` is a wish of those that wait for a person. */
const LONGEST_MS = 2 ** 31 - 1;

/** Connections that a probe has opened and that the next clients get, first come first served. */
export class HandOvers implements Disposable {
  private readonly waiting = new Map<HandOver, NodeJS.Timeout>();

  /** Also for one that was taken and that its client did not want. */
  add(handOver: HandOver): void {
    const { connection, keepMs } = handOver;
    if (connection.destroyed) return;
    const drop = () => this.remove(handOver);
    connection.on('error', drop);
    connection.on('close', drop);
    const timer = setTimeout(() => connection.destroy(), Math.min(keepMs, LONGEST_MS)).unref();
    this.waiting.set(handOver, timer);
  }

  take(): HandOver | undefined {
    const [handOver] = this.waiting.keys();
    if (handOver) this.remove(handOver);
    return handOver;
  }

  dispose(): void {
    for (let next = this.take(); next; next = this.take()) next.connection.destroy();
  }

  private remove(handOver: HandOver): void {
    clearTimeout(this.waiting.get(handOver));
    this.waiting.delete(handOver);
  }
}
