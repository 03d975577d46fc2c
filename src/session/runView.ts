import type { SourceName } from '../core/model.ts';
import type { SkaffoldRun } from '../core/skaffold.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import { oneLine } from '../lib/plainText.ts';
import type { Say } from './output.ts';
import type { SessionParts } from './parts.ts';
import { type ProgressChange, runningTasks, ShownProgress } from './progress.ts';

/** Where a session shows what happens. */
export interface View {
  readonly say: Say;
  progress(change: ProgressChange): void;
}

/** Shows what the log and the store have of one Skaffold, as it comes; or, without a source, of all that is not Skaffold's. */
export class RunView implements Disposable {
  /** What is known of the run; after its end, what was known last. */
  run: SkaffoldRun | undefined;
  private readonly own = new Disposables();
  private readonly shown = new ShownProgress();
  private readonly source: SourceName | undefined;
  private readonly view: View;

  constructor({ store, log }: Pick<SessionParts, 'store' | 'log'>, source: SourceName | undefined, view: View) {
    this.source = source;
    this.view = view;
    this.own.add(
      log.onDidAppend(record => {
        if (!this.isOurs(record.source)) return;
        view.say(oneLine(record.entry), record.level === 'info' ? 'console' : 'stderr');
      }),
    );
    const look = () => this.look(source === undefined ? undefined : store.state.skaffold.get(source));
    this.own.add(store.onDidChange(look));
    look();
  }

  dispose(): void {
    this.own.dispose();
    for (const change of this.shown.show(new Map())) this.view.progress(change);
  }

  private isOurs(source: string): boolean {
    return this.source === undefined ? !source.startsWith('skaffold:') : source === this.source;
  }

  private look(run: SkaffoldRun | undefined): void {
    if (!run || run === this.run) return;
    const isSame = run.progress === this.run?.progress;
    this.run = run;
    if (!isSame) for (const change of this.shown.show(runningTasks(run))) this.view.progress(change);
  }
}
