import { within } from '../lib/deadline.ts';
import { notReleased } from './attachProblems.ts';
import type { Forward, Recipe } from './contracts.ts';
import type { SlotId } from './identity.ts';
import type { Session } from './model.ts';
import type { Store } from './store.ts';

/** How long it may take to free a program after the end of its session, in milliseconds. */
const releaseLimitMs = 5_000;

/** The same for all together when the window goes: VS Code gives extensions 5 seconds in all. */
const lastReleaseLimitMs = 3_500;

/** A debugger on a program, with the way to it. */
export type Attached = Readonly<{ session: Session; forward: Forward; recipe: Recipe }>;

/** Frees programs of what their debuggers leave behind. */
export class Release {
  private readonly leaving = new Map<SlotId, Promise<void>>();
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** The program of a row while it is being freed. */
  of(slot: SlotId): Promise<void> | undefined {
    return this.leaving.get(slot);
  }

  /** After the end of a session; undefined when there is nothing to free. Never rejects. */
  after(session: Session, forward: Forward, recipe: Recipe): Promise<void> | undefined {
    if (!recipe.release || !this.runsOn(session)) return undefined;
    const { slot } = session;
    const leaving = this.free({ session, forward, recipe }).finally(() => this.leaving.delete(slot));
    this.leaving.set(slot, leaving);
    return leaving;
  }

  /** Before their sessions end with the window. Never rejects. */
  async all(attached: readonly Attached[]): Promise<void> {
    const freed = attached.filter(({ session }) => this.runsOn(session)).map(one => this.free(one));
    // With those whose session has ended before: cut off half-way, a program would stay stopped.
    const all = Promise.all([...freed, ...this.leaving.values()]);
    await within(lastReleaseLimitMs, undefined, () => all).catch(() => undefined); // VS Code waits no longer
  }

  /** Whether the run that a session is on has not ended. The next one's debugger is nobody's yet: it may wait for a client. */
  private runsOn({ slot, instance }: Session): boolean {
    const { entries, lives } = this.store.state;
    return lives.has(slot) && (entries.get(slot)?.container.id ?? instance) === instance;
  }

  private async free({ session, forward, recipe }: Attached): Promise<void> {
    try {
      await within(releaseLimitMs, undefined, async signal => recipe.release?.(forward, signal));
    } catch (error) {
      const entry = this.store.state.entries.get(session.slot);
      if (entry && this.runsOn(session))
        this.store.apply({ kind: 'notice', source: entry.source, ...notReleased(entry.container, recipe, error) });
    }
  }
}
