import { undebuggableOf, type Undebuggable } from './built.ts';
import type { SourceName, State } from './model.ts';
import type { Origin } from './runAbout.ts';
import { type RunState, runStateOf, stepsOf, type TaskStep } from './runState.ts';
import type { Row } from './selectors.ts';

/** A running Skaffold as people see it, with what belongs to it. */
export type RunRow = Readonly<{
  source: SourceName;
  /** Of its launch configuration or folder; absent when nobody has said. */
  name?: string;
  origin?: Origin;
  state: RunState;
  /** What it does, and what has failed. */
  steps: readonly TaskStep[];
  undebuggable: readonly Undebuggable[];
  rows: readonly Row[];
}>;

/** All runs, in the order in which they came; one that has ended well and left no containers is not among them. */
export function runRowsOf(state: State, rows: readonly Row[]): readonly RunRow[] {
  if (state.skaffold.size === 0) return [];
  const own = Map.groupBy(rows, ({ run }) => run);
  return [...state.skaffold].flatMap(([source, run]) => {
    const now = runStateOf(run, state.sources.get(source));
    const its = own.get(source) ?? [];
    if (now.kind === 'ended' && its.length === 0) return [];
    const { about } = run;
    return [
      {
        source,
        ...(about ? { name: about.name, origin: about.origin } : {}),
        state: now,
        steps: now.kind === 'lost' || now.kind === 'offered' ? [] : stepsOf(run),
        undebuggable: undebuggableOf(state, source, run),
        rows: its,
      },
    ];
  });
}
