import type { Store } from '../core/store.ts';
import { portFor, sessionPorts, type Skaffolds } from './control.ts';
import type { History } from './history.ts';
import { codes, type ControlMethod } from '../proto/codes.ts';
import { Refused } from './problems.ts';
import { Reader, type Sink } from './reader.ts';
import type { Running } from './running.ts';
import { stateFields } from './state.ts';
import type { Item, Wire } from './wire.ts';
import type { Fields } from '../proto/fields.ts';
import type { State as WireState } from '../proto/gen/v1.ts';

/** So many streams are open at a time, in all. */
const MOST_READERS = 200;

/** So many other calls are under way at a time. */
const MOST_CALLS = 64;

export interface CallsParts {
  readonly store: Pick<Store, 'state'>;
  readonly history: History;
  readonly wire: Wire;
  /** The first item of every stream. */
  readonly opening: Item;
  readonly running: Running;
  readonly skaffolds: Skaffolds;
  readonly mostReaders?: number;
}

/** What the service answers, whatever protocol asks. Everything throws `Refused`, or what a Skaffold has answered. */
export class Calls {
  private readonly readers = new Set<Reader>();
  private running = 0;
  private readonly asked = new Map<number, Promise<Fields | undefined>>();
  private isClosing = false;
  private readonly parts: CallsParts;

  constructor(parts: CallsParts) {
    this.parts = parts;
  }

  /** Begins a stream. It counts until the result is called: one that was cut can still hold what it has not read. */
  read(sink: Sink): () => void {
    this.checkOpen();
    const { history, opening, running, mostReaders = MOST_READERS } = this.parts;
    if (this.readers.size >= mostReaders)
      throw new Refused(codes.RESOURCE_EXHAUSTED, `${this.readers.size} streams are open, which is the most.`);
    const reader = new Reader(history, sink, [[opening], ...running.before(history.begin)]);
    this.readers.add(reader);
    return () => {
      this.readers.delete(reader);
      reader.leave();
    };
  }

  state(): Promise<WireState> {
    return this.once(async () => {
      const { store, wire } = this.parts;
      const [only, ...more] = sessionPorts(store.state);
      const own = only === undefined || more.length > 0 ? undefined : await this.ownState(only);
      return wire.state(stateFields(store.state, own));
    });
  }

  /** Passes a command on; `named` is the port that the caller has given. */
  control(method: ControlMethod, request: object, named: string | undefined): Promise<void> {
    const { store, skaffolds } = this.parts;
    return this.once(() => skaffolds.call(portFor(sessionPorts(store.state), named), method, request));
  }

  /** Nothing new begins; each stream gets what is there and ends. Resolves when all have, whatever the time. */
  async finish(): Promise<void> {
    this.isClosing = true;
    const readers = [...this.readers];
    for (const reader of readers) reader.finish();
    await Promise.all(readers.map(({ done }) => done));
  }

  /** So many calls at a time: each can have to wait for a Skaffold that does not answer. */
  private async once<T>(work: () => Promise<T>): Promise<T> {
    this.checkOpen();
    if (this.running >= MOST_CALLS)
      throw new Refused(codes.RESOURCE_EXHAUSTED, `${this.running} calls are under way, which is the most.`);
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }

  /** Asked once for all who wait. Of one that does not answer there is nothing; what we know ourselves is there without it. */
  private ownState(port: number): Promise<Fields | undefined> {
    const asked =
      this.asked.get(port) ??
      this.parts.skaffolds
        .state(port)
        .catch(() => undefined)
        .finally(() => this.asked.delete(port));
    this.asked.set(port, asked);
    return asked;
  }

  private checkOpen(): void {
    if (this.isClosing) throw new Refused(codes.UNAVAILABLE, 'The event service is being stopped.');
  }
}
