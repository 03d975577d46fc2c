import type { Container, KillVerdict, ProbeKill, State } from '../../core/model.ts';
import type { Store } from '../../core/store.ts';
import { sleep } from '../../lib/backoff.ts';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import { Once } from '../../lib/once.ts';
import type { KubeApi } from '../access.ts';
import { podEventsOf, verdictOf } from './podEvents.ts';

/** How long an answer may take, in milliseconds. */
const LIMIT_MS = 5_000;

/** An event can be written a little after the status of the container; in milliseconds. */
const AGAIN_MS = 2_000;

/** Finds out of each run that was killed while it was paused whether a probe did it, once for each. */
export class ProbeKillReader implements Disposable {
  private readonly asked = new Once();
  private readonly stop = new AbortController();
  private readonly own = new Disposables();
  private readonly store: Store;
  private readonly apiOf: (cluster: string) => KubeApi;

  /** `apiOf` throws for a cluster that is not known. */
  constructor(store: Store, apiOf: (cluster: string) => KubeApi) {
    this.store = store;
    this.apiOf = apiOf;
    this.own.add(store.onDidChange(state => this.look(state)));
  }

  dispose(): void {
    this.own.dispose();
    this.stop.abort();
  }

  private look({ probeKills, entries }: State): void {
    for (const [slot, kill] of probeKills) {
      const container = entries.get(slot)?.container;
      if (container && kill.proof === 'asked' && this.asked.first(kill.run)) void this.find(container, kill);
    }
  }

  private async find(container: Container, kill: ProbeKill): Promise<void> {
    const verdict = await this.verdictOf(container, kill);
    if (this.stop.signal.aborted) return;
    this.store.apply({ kind: 'kill-explained', slot: container.slot, run: kill.run, verdict });
  }

  /** Events that cannot be read, for want of the right or of an answer, leave it at what is most likely. */
  private async verdictOf(container: Container, { since }: ProbeKill): Promise<KillVerdict> {
    const { signal } = this.stop;
    try {
      const api = this.apiOf(container.cluster);
      const look = async () => {
        const events = await podEventsOf(api, container, AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]));
        return verdictOf(events, container.container, since);
      };
      const first = await look();
      if (first.kind === 'said') return first;
      await sleep(AGAIN_MS, signal);
      return await look();
    } catch {
      return { kind: 'unread' };
    }
  }
}
