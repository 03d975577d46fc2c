import { type LogRecord, startedDraft } from '../core/logRecord.ts';
import type { Container, State } from '../core/model.ts';
import { reportedKey } from '../core/skaffold.ts';
import type { Store } from '../core/store.ts';
import { forgetOldest } from '../lib/forgetOldest.ts';
import { textOf } from '../proto/fields.ts';
import { BATCH } from './history.ts';
import { runningContainers } from './state.ts';
import type { Item, Wire } from './wire.ts';
import { keyOf } from './witness.ts';

/** So many starts are remembered. */
const MOST_STARTS = 20_000;

/** Items in batches, as they are written. */
export type Batches = readonly (readonly Item[])[];

/** Tells new readers what runs, where the events that they get do not say so: its start was too long ago. */
export class Running {
  /** Number of the event that told the start of what runs, by container. */
  private readonly starts = new Map<string, number>();
  /** A container has its item for as long as the store has it. */
  private readonly items = new WeakMap<Container, Item>();
  /** Many readers come at once. */
  private last: Readonly<{ state: State; next: number; batches: Batches }> | undefined;
  private readonly store: Pick<Store, 'state'>;
  private readonly wire: Wire;
  private readonly time: string;

  /** `time` is before all events. */
  constructor(store: Pick<Store, 'state'>, wire: Wire, time: string) {
    this.store = store;
    this.wire = wire;
    this.time = time;
  }

  /** An event was told under this number. */
  note({ kind, body }: LogRecord, number: number): void {
    if (kind !== 'debuggingContainerEvent') return;
    const key = keyOf(body);
    this.starts.delete(key); // the latest last
    if (textOf(body, 'status') === 'Started') this.starts.set(key, number);
    forgetOldest(this.starts, MOST_STARTS);
  }

  /** What runs at the moment, and was not told to start in the events from `next` on. */
  before(next: number): Batches {
    const { state } = this.store;
    if (this.last?.state !== state || this.last.next !== next)
      this.last = { state, next, batches: batchesOf(this.itemsBefore(state, next)) };
    return this.last.batches;
  }

  private itemsBefore(state: State, next: number): readonly Item[] {
    return runningContainers(state)
      .filter(({ container }) => (this.starts.get(reportedKey(container)) ?? -1) < next)
      .map(({ container, source }) => this.itemOf(container, source));
  }

  private itemOf(container: Container, source: string): Item {
    const item = this.items.get(container) ?? this.wire.item({ ...startedDraft(source, container), time: this.time });
    this.items.set(container, item);
    return item;
  }
}

const batchesOf = (items: readonly Item[]): Batches =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, n) => items.slice(n * BATCH, (n + 1) * BATCH));
