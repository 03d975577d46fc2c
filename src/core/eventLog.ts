import { Emitter } from '../lib/emitter.ts';
import type { LogDraft, LogRecord } from './logRecord.ts';

/** The last events in order, each once; the oldest go when it is full. */
export class EventLog {
  private readonly appended = new Emitter<LogRecord>();
  /** Fires once for each record, in order. */
  readonly onDidAppend = this.appended.event;

  /** When it began (RFC 3339). */
  readonly since: string;

  private kept: LogRecord[] = [];
  private count = 0;
  private readonly now: () => Date;
  private readonly capacity: number;

  /** `now` gives the time of a record that has none; `capacity` is how many records are kept. */
  constructor(now: () => Date, capacity = 10_000) {
    this.now = now;
    this.capacity = capacity;
    this.since = now().toISOString();
  }

  /** The records that are kept, oldest first. */
  get records(): readonly LogRecord[] {
    return this.kept.slice(-this.capacity);
  }

  append(draft: LogDraft): void {
    this.count += 1;
    const record = { ...draft, time: draft.time ?? this.now().toISOString(), number: this.count };
    this.kept.push(record);
    // Cut in steps, so that a long replay does not copy the whole log for each event.
    if (this.kept.length >= 2 * this.capacity) this.kept = this.kept.slice(-this.capacity);
    this.appended.fire(record);
  }
}
