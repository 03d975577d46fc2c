// Commands of `headless` as processes: what they print, parsed.
import { isDeepStrictEqual } from 'node:util';
import { inRoot } from '../../../.ci/lib/paths.ts';
import type { After } from '../../integration/demo/support.ts';
import { type Program, start } from '../../support/program.ts';
import { until } from '../cluster/run.ts';
import type { NamedContainer } from './eventStream.ts';

/** As much of a row as is looked at. */
export interface WatchedRow {
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  readonly runtime: string | null;
  readonly port: number | null;
  readonly evidence: string;
  readonly restarts: number;
  readonly state: string;
}

interface Line {
  readonly row?: WatchedRow;
  readonly gone?: { readonly podUid: string; readonly container: string };
  readonly event?: { readonly kind: string; readonly body: NamedContainer };
  readonly drain?: { readonly outcome: string };
}

/** A command that runs; it ends with the tests. */
export class Headless {
  private readonly program: Program;

  constructor(after: After, args: readonly string[]) {
    this.program = start({ after }, process.execPath, [inRoot('src', 'headless', 'main.ts'), ...args]);
  }

  /** Debuggable containers that it has told to have started or ended, in its order. */
  get named(): readonly NamedContainer[] {
    return this.lines.flatMap(({ event }) => (event?.kind === 'debuggingContainerEvent' ? [event.body] : []));
  }

  has(named: NamedContainer): boolean {
    return this.named.some(own => isDeepStrictEqual({ ...own }, { ...named }));
  }

  /** The rows that are there, each as it is now. */
  get rows(): readonly WatchedRow[] {
    const rows = new Map<string, WatchedRow>();
    const key = ({ podUid, container }: { podUid: string; container: string }) => `${podUid} ${container}`;
    for (const { row, gone } of this.lines) {
      if (row) rows.set(key(row), row);
      if (gone) rows.delete(key(gone));
    }
    return [...rows.values()];
  }

  /** Waits for a row; throws which there are. */
  async row(what: string, isSo: (row: WatchedRow) => boolean): Promise<WatchedRow> {
    return until(what, () => this.rows.find(isSo), { timeoutMs: 90_000 }).catch((error: unknown) => {
      throw new Error(`${String(error)}; rows: ${JSON.stringify(this.rows, null, 1)}`, { cause: error });
    });
  }

  /** How the drain of `follow` went. */
  get drain(): Line['drain'] {
    return this.lines.at(-1)?.drain;
  }

  /** Waits until the output matches, for at most a minute. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return this.program.until(pattern);
  }

  /** Waits until it has ended by itself, and gives its exit code. */
  ended(): Promise<number | undefined> {
    return until(
      'its end',
      () => (this.program.process.exitCode === null ? undefined : [this.program.process.exitCode]),
      {
        timeoutMs: 60_000,
      },
    ).then(([code]) => code);
  }

  /** Whole lines of JSON. Messages for people, on stderr, are none. */
  private get lines(): readonly Line[] {
    const { output } = this.program;
    const whole = output.slice(0, output.lastIndexOf('\n') + 1).split('\n');
    return whole.filter(text => text.startsWith('{')).map(text => JSON.parse(text) as Line);
  }
}
