import { followId, instanceId, slotId } from '../../core/identity.ts';
import type { Container, ContainerKind } from '../../core/model.ts';
import { listOf } from './lists.ts';
import { lastRunOf, phaseOf, podEnded } from './phase.ts';
import type { ContainerStatus, Detect, Pod, PodContainer } from './pod.ts';
import { probesOf } from './probes.ts';
import { workloadOf } from './workload.ts';

/** Skaffold puts it on all that it deploys (Skaffold `pkg/skaffold/deploy/label`). */
export const RUN_LABEL = 'skaffold.dev/run-id';

/** What decoding needs beside the pod. */
export interface DecodeOptions {
  /** As `clusterId` makes it. */
  readonly cluster: string;
  readonly detect: Detect;
}

interface Part {
  readonly kind: ContainerKind;
  readonly spec: PodContainer;
  readonly status: ContainerStatus | undefined;
}

/**
 * The containers of a pod that belong in the tree, in the order of the specification: regular ones, restartable init
 * containers and ephemeral ones. Statuses are matched by name: the kubelet sorts them by name, not as the specification does.
 * Containers that ended are among them; `isOver` tells those that will not run again.
 */
export function decodePod(pod: Pod, options: DecodeOptions): Container[] {
  return partsOf(pod).flatMap(part => decodePart(pod, part, options) ?? []);
}

/** Whether a container has ended and will not be started again, so that it can leave the tree once its end is told. */
export function isOver(container: Container, pod: Pod): boolean {
  if (container.phase.kind !== 'terminated') return false;
  if (podEnded(pod) || pod.metadata?.deletionTimestamp || container.kind === 'ephemeral') return true;
  const own = listOf(pod.spec?.containers).find(spec => spec.name === container.container)?.restartPolicy;
  const policy = container.kind === 'sidecar' ? 'Always' : (own ?? pod.spec?.restartPolicy);
  return policy === 'Never' || (policy === 'OnFailure' && container.phase.exitCode === 0);
}

function partsOf({ spec, status }: Pod): Part[] {
  type Statuses = readonly ContainerStatus[] | null | undefined;
  const parts = (kind: ContainerKind, specs: readonly PodContainer[], statuses: Statuses) =>
    specs.map(one => ({ kind, spec: one, status: listOf(statuses).find(s => s.name === one.name) }));
  const sidecars = listOf(spec?.initContainers).filter(init => init.restartPolicy === 'Always');
  return [
    ...parts('regular', listOf(spec?.containers), status?.containerStatuses),
    ...parts('sidecar', sidecars, status?.initContainerStatuses),
    ...parts('ephemeral', listOf(spec?.ephemeralContainers), status?.ephemeralContainerStatuses),
  ];
}

/** A file that a person wrote can have a number or nothing in its place. */
const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';

function decodePart(pod: Pod, { kind, spec, status }: Part, { cluster, detect }: DecodeOptions): Container | undefined {
  const { name, namespace, uid, labels } = pod.metadata ?? {};
  if (!isName(name) || !isName(spec.name)) return undefined;
  const detection = detect(spec, pod);
  if (!detection.listed) return undefined;
  const at = { cluster, namespace: namespace ?? 'default', container: spec.name };
  const podUid = uid ?? '';
  const containerId = status?.containerID || undefined;
  const startedAt = status?.state?.running?.startedAt ?? status?.state?.terminated?.startedAt ?? undefined;
  const restarts = status?.restartCount ?? 0;
  const workload = workloadOf(pod);
  const last = lastRunOf(status);
  const runId = labels?.[RUN_LABEL];
  const probes = probesOf(spec, status);
  const container: Container = {
    slot: slotId(at, podUid),
    id: instanceId(at, { podUid, containerId, restarts, startedAt }),
    follow: followId(at, `${workload.kind}/${workload.name}`),
    ...at,
    pod: name,
    podUid,
    kind,
    workload,
    image: spec.image ?? '',
    phase: phaseOf(pod, status),
    ready: status?.ready ?? false,
    restarts,
    ...(containerId ? { containerId } : {}),
    ...(startedAt ? { startedAt } : {}),
    ...(last ? { last } : {}),
    ...(probes.length > 0 ? { probes } : {}),
    ...(isName(runId) ? { runId } : {}),
    detection,
  };
  const { phase } = container;
  if (phase.kind !== 'terminated' || isOver(container, pod)) return container;
  return { ...container, phase: { ...phase, willRestart: true } };
}
