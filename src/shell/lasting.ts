import type { Undebuggable } from '../core/built.ts';
import type { RunRow } from '../core/runRows.ts';
import type { Row } from '../core/selectors.ts';
import type { Disposable } from '../lib/disposable.ts';

/** So long sources may differ before it is worth a word: they are not equally fast. */
const momentMs = 5_000;

/** Holds back what is only so for a moment: that sources disagree, and that an artifact has no debuggable container. */
export class Lasting implements Disposable {
  /** When each was there first, by a key of its own. */
  private since = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private readonly redraw: () => void;
  private readonly waitMs: number;

  /** `redraw` is called when something has lasted long enough to be shown. */
  constructor(redraw: () => void, waitMs = momentMs) {
    this.redraw = redraw;
    this.waitMs = waitMs;
  }

  /** What is shown of the rows now. */
  of(rows: readonly Row[], runs: readonly RunRow[]): Readonly<{ rows: readonly Row[]; runs: readonly RunRow[] }> {
    const now = performance.now();
    const before = this.since;
    this.since = new Map();
    let nextMs = Infinity;
    const lasts = (...key: readonly string[]) => {
      const text = JSON.stringify(key);
      const since = before.get(text) ?? now;
      this.since.set(text, since);
      const leftMs = since + this.waitMs - now;
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs);
      return leftMs <= 0;
    };
    const shownOf = (row: Row) =>
      row.disagreement === undefined || lasts(row.container.slot, row.disagreement) ? row : withoutDoubt(row);
    const isShown = (source: string) => (built: Undebuggable) => lasts(source, built.artifact);
    const shown = {
      rows: rows.map(shownOf),
      runs: runs.map(run => ({ ...run, undebuggable: run.undebuggable.filter(isShown(run.source)) })),
    };
    const bySlot = new Map(shown.rows.map(row => [row.container.slot, row]));
    this.wake(nextMs);
    return {
      rows: shown.rows,
      runs: shown.runs.map(run => ({ ...run, rows: run.rows.map(row => bySlot.get(row.container.slot) ?? row) })),
    };
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private wake(waitMs: number): void {
    clearTimeout(this.timer);
    this.timer = waitMs === Infinity ? undefined : setTimeout(this.redraw, Math.ceil(waitMs) + 1); // timers are early by a fraction
  }
}

/** A container that the watch does not have yet is on its way; that it has ended would be a guess. */
function withoutDoubt({ disagreement: _disagreement, ...row }: Row): Row {
  const isExpected = row.state === 'ended' && row.seenBy.every(source => source.startsWith('skaffold'));
  return isExpected ? { ...row, state: 'starting', reason: 'Skaffold has just reported it' } : row;
}
