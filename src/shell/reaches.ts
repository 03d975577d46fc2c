import type { Findings } from '../core/explain/explain.ts';
import { reach, type ReachParts } from '../core/explain/reach.ts';
import type { InstanceId, SlotId } from '../core/identity.ts';
import type { Container, State } from '../core/model.ts';
import { rowAt } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import { Emitter } from '../lib/emitter.ts';

/** How far an attach would come: looked at when somebody asks for a container that has no debugger, and never beside an attach. */
export class Reaches implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  private readonly known = new Map<SlotId, Readonly<{ instance: InstanceId; findings: Findings }>>();
  private readonly looking = new Map<SlotId, AbortController>();
  private readonly own = new Disposables();
  private readonly store: Pick<Store, 'state' | 'onDidChange'>;
  private readonly parts: ReachParts;

  constructor(store: Pick<Store, 'state' | 'onDidChange'>, parts: ReachParts) {
    this.store = store;
    this.parts = parts;
    this.own.add(store.onDidChange(state => this.giveWay(state)));
  }

  /** What has been found of this run; nothing once a debugger is attached or was tried, which knows better. */
  of({ slot, id }: Container): Findings {
    const known = this.known.get(slot);
    return known?.instance === id && isUntried(this.store.state, slot) ? known.findings : {};
  }

  /** Looks anew. */
  look(container: Container): void {
    const { slot, id: instance } = container;
    const { state } = this.store;
    if (!rowAt(state, slot)?.isAttachable || !isUntried(state, slot)) return;
    this.looking.get(slot)?.abort();
    const stop = new AbortController();
    this.looking.set(slot, stop);
    const found = (findings: Findings) => {
      this.known.set(slot, { instance, findings });
      this.changed.fire();
    };
    void reach(this.parts, container, stop.signal)
      .then(found, () => undefined) // it was given up
      .finally(() => this.looking.get(slot) === stop && this.looking.delete(slot));
  }

  dispose(): void {
    this.own.dispose();
    for (const stop of this.looking.values()) stop.abort();
  }

  private giveWay(state: State): void {
    for (const [slot, stop] of this.looking) if (!isUntried(state, slot)) stop.abort();
    for (const slot of this.known.keys()) if (!state.entries.has(slot)) this.known.delete(slot);
  }
}

const isUntried = ({ attaches, sessions, entries }: State, slot: SlotId): boolean =>
  entries.has(slot) && !attaches.has(slot) && ![...sessions.values()].some(session => session.slot === slot);
