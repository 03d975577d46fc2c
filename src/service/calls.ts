import type { Store } from '../core/store.ts';
import { type ControlMethod, portFor, sessionPorts, type Skaffolds } from './control.ts';
import type { History } from './history.ts';
import { codes, Refused } from './problems.ts';
import { Reader, type Sink } from './reader.ts';
import { stateFields } from './state.ts';
import type { Item, Wire } from './wire.ts';
import type { State as WireState } from '../proto/gen/v1.ts';

/** So many streams are open at a time, in all. */
const MOST_READERS = 200;

export interface CallsParts {
  readonly store: Pick<Store, 'state'>;
  readonly history: History;
  readonly wire: Wire;
  readonly opening: Item;
  readonly skaffolds: Skaffolds;
  readonly mostReaders?: number;
}

/** What the service answers, whatever protocol asks. Everything throws `Refused`, or what a Skaffold has answered. */
export class Calls {
  private readonly readers = new Map<Reader, () => void>();
  private isClosing = false;
  private readonly parts: CallsParts;

  constructor(parts: CallsParts) {
    this.parts = parts;
  }

  /** Begins a stream. It counts until `gone` is called: one that was cut can still hold what it has not read. */
  read(sink: Sink): { readonly gone: () => void } {
    this.checkOpen();
    const { history, opening, mostReaders = MOST_READERS } = this.parts;
    if (this.readers.size >= mostReaders)
      throw new Refused(codes.RESOURCE_EXHAUSTED, `${this.readers.size} streams are open, which is the most.`);
    const reader = new Reader(history, sink, opening);
    const gone = () => {
      this.readers.delete(reader);
      reader.leave();
    };
    this.readers.set(reader, gone);
    return { gone };
  }

  async state(): Promise<WireState> {
    this.checkOpen();
    const { store, skaffolds, wire } = this.parts;
    const [only, ...more] = sessionPorts(store.state);
    // One that does not answer is asked again the next time; what we know ourselves is there without it.
    const own = only === undefined || more.length > 0 ? undefined : await skaffolds.state(only).catch(() => undefined);
    return wire.state(stateFields(store.state, own));
  }

  /** Passes a command on; `named` is the port that the caller has given. */
  async control(method: ControlMethod, request: object, named: string | undefined): Promise<void> {
    this.checkOpen();
    const { store, skaffolds } = this.parts;
    await skaffolds.call(portFor(sessionPorts(store.state), named), method, request);
  }

  /** Nothing new begins; each stream gets what is there and ends. Resolves when all have, whatever the time. */
  async finish(): Promise<void> {
    this.isClosing = true;
    const readers = [...this.readers.keys()];
    for (const reader of readers) reader.finish();
    await Promise.all(readers.map(({ done }) => done));
  }

  private checkOpen(): void {
    if (this.isClosing) throw new Refused(codes.UNAVAILABLE, 'The event service is being stopped.');
  }
}
