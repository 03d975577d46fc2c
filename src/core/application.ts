import type { Disposable } from '../lib/disposable.ts';
import { disposable, Disposables } from '../lib/disposable.ts';
import { AttachCoordinator, type AttachParts } from './attach.ts';
import { failureOf } from './errors.ts';
import { EventLog } from './eventLog.ts';
import { Feed, type Source } from './feed.ts';
import type { SourceName } from './model.ts';
import { Store } from './store.ts';

/** Store, log and attach coordinator, joined; a front end adds sources and renders rows. */
export class Application implements Disposable {
  readonly log: EventLog;
  readonly store: Store;
  readonly attach: AttachCoordinator;
  private readonly own = new Disposables();

  /** `now` is the clock of the log. */
  constructor(now: () => Date, parts: Omit<AttachParts, 'store'>) {
    this.log = new EventLog(now);
    this.store = new Store(this.log);
    this.attach = this.own.add(new AttachCoordinator({ ...parts, store: this.store }));
  }

  /** Adds a source; its rows go when the result is disposed. */
  watch(name: SourceName, source: Source): Disposable {
    const feed = new Feed(source, this.store, error =>
      this.store.apply({ kind: 'source', source: name, state: { kind: 'stopped', failure: failureOf(error) } }),
    );
    return this.own.add(
      disposable(() => {
        feed.dispose();
        this.store.apply({ kind: 'source-removed', source: name });
      }),
    );
  }

  dispose(): void {
    this.own.dispose();
  }
}
