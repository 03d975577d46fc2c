import type { Detection } from '../../core/model.ts';
import { listOf } from '../pods/lists.ts';
import type { Detect, Pod, PodContainer } from '../pods/pod.ts';

/** More containers than people put into a pod; looking at all of them for each of them takes its time. */
const MOST_NEIGHBOURS = 100;

/** Another container of the pod that debugs on the same port. All containers of a pod share one network. */
export function neighbourOn(port: number, spec: PodContainer, pod: Pod, detectAlone: Detect): string | undefined {
  const others = neighbours(pod)
    .slice(0, MOST_NEIGHBOURS)
    .filter(({ name }) => name !== undefined && name !== spec.name);
  return others.find(other => listens(detectAlone(other, pod), port))?.name;
}

const listens = ({ verdict, port }: Detection, wanted: number) =>
  port === wanted && (verdict === 'live' || verdict === 'suspended');

/** Those that run beside each other: init containers only as sidecars, ephemeral ones until they end. */
function neighbours({ spec, status }: Pod): PodContainer[] {
  const ended = listOf(status?.ephemeralContainerStatuses).filter(({ state }) => state?.terminated);
  return [
    ...listOf(spec?.containers),
    ...listOf(spec?.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ...listOf(spec?.ephemeralContainers).filter(({ name }) => !ended.some(status => status.name === name)),
  ];
}
