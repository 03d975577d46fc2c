import type { SkaffoldRun } from '../core/skaffold.ts';
import { oneLine } from '../lib/plainText.ts';

/** A change of what the front end shows as running. */
export type ProgressChange = Readonly<
  | { kind: 'start'; id: string; title: string; message: string }
  | { kind: 'update'; id: string; message: string }
  | { kind: 'end'; id: string; message: string }
>;

/** What is running: tasks of Skaffold, each with the artifacts or resources that it works on. */
export type RunningTasks = ReadonlyMap<string, string>;

const titles: ReadonlyMap<string, string> = new Map([
  ['Build', 'Skaffold builds'],
  ['Test', 'Skaffold tests'],
  ['Render', 'Skaffold renders manifests'],
  ['Deploy', 'Skaffold deploys'],
  ['StatusCheck', 'Skaffold waits for what it has deployed'],
  ['Sync', 'Skaffold copies files'],
]);

/** A dev loop is all other tasks together, and port-forwards run for ever: only tasks that have a title are shown. */
export function runningTasks(run: SkaffoldRun | undefined): RunningTasks {
  const subjects = new Map<string, string[]>();
  for (const { task, subject, status } of run?.progress.values() ?? []) {
    if (status !== 'running' || !titles.has(task)) continue;
    const known = subjects.get(task) ?? [];
    if (subject) known.push(oneLine(subject, 100));
    subjects.set(task, known);
  }
  return new Map([...subjects].map(([task, names]) => [task, names.toSorted().join(', ')]));
}

/** Turns what runs now into changes of what is shown. */
export class ShownProgress {
  private shown: ReadonlyMap<string, { readonly id: string; readonly message: string }> = new Map();
  private count = 0;

  show(tasks: RunningTasks): readonly ProgressChange[] {
    const before = this.shown;
    const changes: ProgressChange[] = [];
    for (const [task, { id, message }] of before) if (!tasks.has(task)) changes.push({ kind: 'end', id, message });
    this.shown = new Map(
      [...tasks].map(([task, message]) => {
        const known = before.get(task);
        const id = known?.id ?? `skaffold-${++this.count}`;
        if (!known) changes.push({ kind: 'start', id, title: titles.get(task) ?? task, message });
        else if (known.message !== message) changes.push({ kind: 'update', id, message });
        return [task, { id, message }];
      }),
    );
    return changes;
  }
}
