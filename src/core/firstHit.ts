import { type Disposable, Disposables } from '../lib/disposable.ts';
import type { AttachCoordinator } from './attach.ts';
import { attachAll } from './attachAll.ts';
import type { SlotId } from './identity.ts';
import type { Session } from './model.ts';
import type { Store } from './store.ts';

/**
 * Attaches to several containers until the program in one of them pauses; that one keeps its debugger, the others are
 * detached. Names tell its debuggers, since they stay when a pod is replaced.
 */
export class FirstHit implements Disposable {
  private readonly slots: ReadonlySet<SlotId>;
  private readonly names = new Set<string>();
  private readonly own = new Disposables();
  private readonly store: Store;
  private readonly coordinator: Pick<AttachCoordinator, 'attach' | 'detach'>;
  private isOver = false;

  constructor(store: Store, coordinator: Pick<AttachCoordinator, 'attach' | 'detach'>, slots: readonly SlotId[]) {
    this.store = store;
    this.coordinator = coordinator;
    this.slots = new Set(slots);
    this.own.add(store.onDidChange(() => this.look()));
  }

  /** Resolves when all are attached, or the first has paused. Throws as `attachAll` while nothing has paused. */
  async start(): Promise<void> {
    try {
      await attachAll(this.coordinator, [...this.slots]);
      this.look();
    } catch (error) {
      if (!this.isOver) throw error;
    }
  }

  dispose(): void {
    this.isOver = true;
    this.own.dispose();
  }

  private look(): void {
    if (this.isOver) return;
    const sessions = [...this.store.state.sessions.values()];
    for (const { slot, name } of sessions) if (this.slots.has(slot)) this.names.add(name);
    const hit = sessions.find(({ name, paused }) => paused && this.names.has(name));
    if (hit) this.end(hit, sessions);
    else if (this.names.size > 0 && !this.isGoingOn(sessions)) this.dispose();
  }

  /** A debugger of it is there, comes back, or is on its way. */
  private isGoingOn(sessions: readonly Session[]): boolean {
    const { attaches, following } = this.store.state;
    return (
      [...sessions, ...following.values()].some(({ name }) => this.names.has(name)) ||
      [...this.slots].some(slot => attaches.get(slot)?.kind === 'running')
    );
  }

  private end(hit: Session, sessions: readonly Session[]): void {
    this.dispose();
    const own = sessions.filter(({ name }) => this.names.has(name)).map(({ slot }) => slot);
    const others = [...new Set([...this.slots, ...own])].filter(slot => slot !== hit.slot);
    this.store.apply({
      kind: 'notice',
      source: 'attach',
      level: 'info',
      text: `${hit.name} has paused first, in pod ${hit.pod}: the other debuggers are detached`,
    });
    for (const slot of others) void this.coordinator.detach(slot).catch(() => undefined); // the row says so
  }
}
