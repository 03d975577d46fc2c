import type { SlotId } from '../identity.ts';
import { isDebuggable } from '../lives.ts';
import type { Container, Following, State } from '../model.ts';

/** What a successor is looked for. */
export type Predecessor = Pick<Following, 'slot' | 'follow' | 'pod' | 'siblings'>;

/** Where the debuggers that were lost go, by the lost session's id. Each container takes one, and none that has another. */
export function heirsOf(state: State): ReadonlyMap<string, Container> {
  const heirs = new Map<string, Container>();
  if (state.following.size === 0) return heirs;
  const taken = slotsWithSession(state);
  for (const following of state.following.values()) {
    const heir = heirOf(state, following, taken);
    if (!heir) continue;
    heirs.set(following.id, heir);
    taken.add(heir.slot);
  }
  return heirs;
}

/** Slots that have a debugger. */
export const slotsWithSession = (state: State): Set<SlotId> =>
  new Set([...state.sessions.values()].map(({ slot }) => slot));

/**
 * The container itself while its pod stays; else the one that takes its place: the pod of the same name (StatefulSet), or one
 * that came after the session had begun. An older one is a replica, not a successor: whether it will do only the user knows.
 */
export function heirOf(state: State, lost: Predecessor, taken: ReadonlySet<SlotId>): Container | undefined {
  const own = state.entries.get(lost.slot)?.container;
  if (own && isStaying(own)) return taken.has(own.slot) ? undefined : own;
  const others = othersOf(state, lost).filter(({ slot }) => !taken.has(slot));
  const younger = others.filter(({ slot }) => !lost.siblings.has(slot)).toSorted(byAge);
  return others.find(({ pod }) => pod === lost.pod) ?? younger[0];
}

/** Containers that do the same as this one and stay. */
export function othersOf(state: State, { slot, follow }: Pick<Predecessor, 'slot' | 'follow'>): readonly Container[] {
  const all = [...state.entries.values()].map(({ container }) => container);
  return all.filter(one => one.follow === follow && one.slot !== slot && isStaying(one) && isDebuggable(one.detection));
}

/** Its pod is not being deleted, and its last run was not the last one. */
function isStaying({ phase }: Container): boolean {
  if (phase.kind === 'terminated') return phase.willRestart === true;
  return phase.kind !== 'terminating';
}

/** Running ones first, then the youngest. */
function byAge(a: Container, b: Container): number {
  const running = Number(b.phase.kind === 'running') - Number(a.phase.kind === 'running');
  return running || (b.startedAt ?? '').localeCompare(a.startedAt ?? '');
}
