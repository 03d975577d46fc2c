import { Emitter } from '../lib/emitter.ts';
import type { EventLog } from './eventLog.ts';
import type { DebugEvent, State } from './model.ts';
import { empty, reduce } from './reducer.ts';

/** The only mutable cell: applies events, keeps the state, and writes what they mean to the log. */
export class Store {
  private readonly changed = new Emitter<State>();
  readonly onDidChange = this.changed.event;

  private current = empty;
  private readonly log: EventLog;

  constructor(log: EventLog) {
    this.log = log;
  }

  get state(): State {
    return this.current;
  }

  apply(event: DebugEvent): void {
    const { state, drafts } = reduce(this.current, event);
    const isChange = state !== this.current;
    this.current = state;
    for (const draft of drafts) this.log.append(draft);
    if (isChange) this.changed.fire(state);
  }
}
