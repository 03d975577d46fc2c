import { failureOf } from '../../core/errors.ts';
import { crashedRun } from '../../core/explain/lastWords.ts';
import type { SlotId } from '../../core/identity.ts';
import type { Container, LastWords } from '../../core/model.ts';
import type { Store } from '../../core/store.ts';
import { Coalesced } from '../../lib/coalesce.ts';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import { oneLine } from '../../lib/plainText.ts';
import type { KubeApi } from '../access.ts';
import { toUserError } from '../http/problems.ts';
import { lastLineOf } from './lastLine.ts';

/** How long a log may take, in milliseconds. */
const LIMIT_MS = 10_000;

/** A burst of changes is looked at once, in milliseconds. */
const LOOK_MS = 50;

const MOST_CHARACTERS = 500;

/** The last line of a run that has crashed; undefined when it printed none. Never rejects. */
export async function readLastWords(
  api: KubeApi,
  container: Container,
  run: string,
  signal: AbortSignal,
): Promise<LastWords | undefined> {
  try {
    const line = await lastLineOf(api, container, AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]));
    return line === undefined ? undefined : { run, line: oneLine(line, MOST_CHARACTERS) };
  } catch (error) {
    return { run, failure: failureOf(toUserError(error, api.access)) };
  }
}

/** Reads the last words of each container that crashes, once for each crash, and one log at a time. */
export class LastWordsReader implements Disposable {
  /** Runs whose log has been asked for, of the containers that are there. */
  private readonly asked = new Map<SlotId, string>();
  private readonly stop = new AbortController();
  private readonly own = new Disposables();
  private reading: Promise<void> = Promise.resolve();
  private readonly store: Store;
  private readonly apiOf: (cluster: string) => KubeApi;

  /** `apiOf` throws for a cluster that is not known. */
  constructor(store: Store, apiOf: (cluster: string) => KubeApi) {
    this.store = store;
    this.apiOf = apiOf;
    this.own.add(store.onDidChange(this.own.add(new Coalesced(LOOK_MS, () => this.look())).call));
  }

  dispose(): void {
    this.own.dispose();
    this.stop.abort();
  }

  private look(): void {
    const { entries } = this.store.state;
    for (const slot of this.asked.keys()) if (!entries.has(slot)) this.asked.delete(slot);
    for (const [slot, { container }] of entries) {
      const run = container.direct ? undefined : crashedRun(container);
      if (run === undefined || this.asked.get(slot) === run) continue;
      this.asked.set(slot, run);
      this.reading = this.reading.then(() => this.read(container, run));
    }
  }

  private async read(container: Container, run: string): Promise<void> {
    // It may have had to wait for its turn, and be gone or run again.
    const now = this.store.state.entries.get(container.slot)?.container;
    if (this.stop.signal.aborted || !now || crashedRun(now) !== run) return;
    const words = await this.ask(now, run);
    if (words && !this.stop.signal.aborted) this.store.apply({ kind: 'last-words', slot: container.slot, words });
  }

  private async ask(container: Container, run: string): Promise<LastWords | undefined> {
    try {
      return await readLastWords(this.apiOf(container.cluster), container, run, this.stop.signal);
    } catch (error) {
      return { run, failure: failureOf(error) };
    }
  }
}
