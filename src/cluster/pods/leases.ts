import type { Container, HeldLease } from '../../core/model.ts';
import { type Mapping, mappingAt, textAt } from '../../lib/mapping.ts';
import { oneLine } from '../../lib/plainText.ts';
import type { KubeApi } from '../access.ts';
import { itemsOf } from './itemsOf.ts';

/** client-go's default (`tools/leaderelection`, `LeaseDuration`). */
const USUAL_SECONDS = 15;

/**
 * The leases of leader elections that a container's pod holds, of those in its namespace. Needs the right to list leases.
 * Throws `ApiError`, or the connection's error.
 */
export async function heldLeases(
  api: KubeApi,
  container: Container,
  signal: AbortSignal,
): Promise<readonly HeldLease[]> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(container.namespace)}/leases?limit=500`;
  return leasesIn(await itemsOf(api, path, signal), container);
}

/** Those whose holder is named after the pod. */
export const leasesIn = (items: readonly Mapping[], { pod, podUid }: Pick<Container, 'pod' | 'podUid'>) =>
  items.flatMap((lease): readonly HeldLease[] => {
    const spec = mappingAt(lease, 'spec');
    const name = textAt(mappingAt(lease, 'metadata'), 'name');
    if (name === undefined || !isHeldBy(textAt(spec, 'holderIdentity') ?? '', pod, podUid)) return [];
    const seconds = spec['leaseDurationSeconds'];
    return [{ name: oneLine(name, 253), seconds: typeof seconds === 'number' ? seconds : USUAL_SECONDS }];
  });

/** The pod's name, alone or with more after a character that no pod's name has (controller-runtime: `NAME_UUID`); or its UID. */
const isHeldBy = (holder: string, pod: string, podUid: string): boolean =>
  (holder.startsWith(pod) && !/^[a-z0-9.-]/.test(holder.slice(pod.length))) || holder.includes(podUid);
