import type { SlotId } from '../../core/identity.ts';
import type { Container, State } from '../../core/model.ts';
import type { Store } from '../../core/store.ts';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import type { KubeApi } from '../access.ts';
import { heldLeases } from './leases.ts';

/** How long an answer may take, in milliseconds. */
const LIMIT_MS = 10_000;

/**
 * Looks, beside each attach, for the leases that the container's pod holds: a paused program cannot renew them. An attach
 * never waits for it, and what may not be read or does not answer is no matter.
 */
export class LeaseReader implements Disposable {
  /** Of containers that have a debugger, or get one. */
  private readonly asked = new Map<SlotId, AbortController>();
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
    for (const stop of this.asked.values()) stop.abort();
  }

  private look({ attaches, entries, sessions }: State): void {
    const running = [...attaches].filter(([, { kind }]) => kind === 'running').map(([slot]) => slot);
    const wanted = new Set([...running, ...[...sessions.values()].map(({ slot }) => slot)]);
    for (const [slot, stop] of this.asked) {
      if (wanted.has(slot)) continue;
      stop.abort();
      this.asked.delete(slot);
    }
    for (const slot of wanted) {
      const container = entries.get(slot)?.container;
      if (container && !container.direct && !this.asked.has(slot)) void this.ask(container);
    }
  }

  private async ask(container: Container): Promise<void> {
    const { slot, id: instance, cluster } = container;
    const stop = new AbortController();
    this.asked.set(slot, stop);
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIMIT_MS)]);
      const leases = await heldLeases(this.apiOf(cluster), container, signal);
      if (!stop.signal.aborted) this.store.apply({ kind: 'leases', slot, instance, leases });
    } catch {
      // nothing is known then
    }
  }
}
