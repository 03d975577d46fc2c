import {
  rfc3339,
  type ContainerStatus,
  type Pod,
  type PodCondition,
  type PodStatus,
  type RestartPolicy,
} from '../api/objects.ts';

/** Phase from the containers' states, as the kubelet decides it (kubernetes `pkg/kubelet/kubelet_pods.go`). */
export function phaseOf(
  statuses: readonly ContainerStatus[],
  policy: RestartPolicy,
  ending: boolean,
): PodStatus['phase'] {
  const isNew = (status: ContainerStatus) => status.state.waiting !== undefined && !status.lastState.terminated;
  if (statuses.some(isNew)) return 'Pending';
  if (statuses.some(status => status.state.running)) return 'Running';
  const codes = statuses.map(({ state, lastState }) => (state.terminated ?? lastState.terminated)!.exitCode);
  const succeeded = codes.every(code => code === 0);
  if (policy === 'Always' && !ending) return 'Running';
  if (policy === 'OnFailure' && !ending && !succeeded) return 'Running';
  return succeeded ? 'Succeeded' : 'Failed';
}

/** The conditions of a scheduled pod; the time of each is that of its last change. */
export function conditionsOf(
  pod: Pod,
  statuses: readonly ContainerStatus[],
  phase: PodStatus['phase'],
): PodCondition[] {
  const unready = statuses.filter(status => !status.ready).map(status => status.name);
  const over = phase === 'Succeeded' || phase === 'Failed';
  const why = over
    ? { reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  const created = statuses.every(({ state }) => state.waiting?.reason !== 'ContainerCreating');
  return [
    condition(pod, 'PodReadyToStartContainers', created && !over),
    condition(pod, 'Initialized', true),
    condition(pod, 'Ready', unready.length === 0, why),
    condition(pod, 'ContainersReady', unready.length === 0, why),
    condition(pod, 'PodScheduled', true),
  ];
}

function condition(
  pod: Pod,
  type: string,
  holds: boolean,
  otherwise: { reason?: string; message?: string } = {},
): PodCondition {
  const status = holds ? 'True' : 'False';
  const before = pod.status.conditions?.find(known => known.type === type);
  const since = before?.status === status ? before.lastTransitionTime : rfc3339();
  return { type, status, lastProbeTime: null, lastTransitionTime: since, ...(holds ? {} : otherwise) };
}
