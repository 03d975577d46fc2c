import { type Disposable, disposable } from '../lib/disposable.ts';
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
  private readonly watches = new Set<Disposable>();

  /** `now` is the clock of the log. */
  constructor(now: () => Date, parts: Omit<AttachParts, 'store'>) {
    this.log = new EventLog(now);
    this.store = new Store(this.log);
    this.attach = new AttachCoordinator({ ...parts, store: this.store });
  }

  /** Adds a source; its rows go when the result is disposed. */
  watch(name: SourceName, source: Source): Disposable {
    const feed = new Feed(source, this.store, error =>
      this.store.apply({ kind: 'source', source: name, state: { kind: 'stopped', failure: failureOf(error) } }),
    );
    const watching = disposable(() => {
      this.watches.delete(watching);
      feed.dispose();
      this.store.apply({ kind: 'source-removed', source: name });
    });
    this.watches.add(watching);
    return watching;
  }

  dispose(): void {
    this.attach.dispose();
    for (const watching of [...this.watches]) watching.dispose();
  }
}
