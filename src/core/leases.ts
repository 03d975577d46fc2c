import type { LogDraft } from './logRecord.ts';
import type { Container, DebugEvent, HeldLease, State } from './model.ts';
import { put, type Reduced } from './reduced.ts';

/** The leases that the present run of a container holds, as far as they are known. */
export function leasesOf({ leases }: Pick<State, 'leases'>, { slot, id }: Container): readonly HeldLease[] {
  const known = leases.get(slot);
  return known?.instance === id ? known.leases : [];
}

/**
 * What a pause costs the holder of a lease, in a clause. Its program finds out when it goes on, and most end themselves then
 * (client-go `tools/leaderelection`, `OnStoppedLeading`).
 */
export const leaseText = ({ name, seconds }: HeldLease): string =>
  `the lease "${name}" by which it leads is lost after about ${seconds} seconds, and it may end itself when it goes on`;

/** What to do about it, a sentence. */
export const LEASE_REMEDY =
  'Switch leader election off while you debug (--leader-elect=false in many programs), or lengthen the lease.';

/** The leases of a container that a debugger comes to. */
export function afterLeases(
  state: State,
  { slot, instance, leases }: Extract<DebugEvent, { kind: 'leases' }>,
): Reduced {
  const container = state.entries.get(slot)?.container;
  if (container?.id !== instance) return { state, drafts: [] };
  const isKnown = JSON.stringify(leasesOf(state, container)) === JSON.stringify(leases);
  if (isKnown) return { state, drafts: [] };
  const kept = new Map([...state.leases].filter(([other]) => state.entries.has(other)));
  const { pod, container: name, namespace } = container;
  const drafts = leases.map((lease): LogDraft => ({
    kind: 'noticeEvent',
    source: 'attach',
    level: 'warn',
    body: { lease },
    entry: `While pod/${pod}:${name} (${namespace}) is paused: ${leaseText(lease)}. ${LEASE_REMEDY}`,
  }));
  return { state: { ...state, leases: put(kept, slot, { instance, leases }) }, drafts };
}
