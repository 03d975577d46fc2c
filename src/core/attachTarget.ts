import { containerGone, notAttachable, portUnknown } from './attachProblems.ts';
import type { ForwardTarget } from './contracts.ts';
import type { SlotId } from './identity.ts';
import type { Container, Session } from './model.ts';
import { rowAt } from './selectors.ts';
import type { Store } from './store.ts';

/** The container of a row that a click may attach to. Throws `UserError`. */
export function attachable(store: Store, slot: SlotId): Container {
  const row = rowAt(store.state, slot);
  if (!row) throw containerGone();
  if (row.state !== 'ready') throw notAttachable(row.state, row.reason);
  return row.container;
}

/** Its debug port. Throws `UserError`. */
export function portOf({ detection, container }: Container): number {
  if (detection.port === undefined) throw portUnknown(container, detection.reason);
  return detection.port;
}

/** The way to a port of a container, by its pod or where it is published. */
export const forwardTarget = (container: Container, port: number): ForwardTarget => {
  const { cluster, namespace, pod, podUid, follow, direct } = container;
  return { pod: { cluster, namespace, pod, podUid }, port, follow, ...(direct ? { direct } : {}) };
};

/** A session that has just begun on a container. */
export const sessionOf = (id: string, c: Container, name: string, localPort: number, owner?: string): Session => ({
  id,
  slot: c.slot,
  instance: c.id,
  follow: c.follow,
  namespace: c.namespace,
  pod: c.pod,
  container: c.container,
  name,
  localPort,
  paused: false,
  ...(owner === undefined ? {} : { owner }),
});
