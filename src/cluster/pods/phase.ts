import type { EndedRun, Phase } from '../../core/model.ts';
import { listOf } from './lists.ts';
import type { ContainerStatus, Pod, PodContainer, TerminatedState } from './pod.ts';

/** Exit code of a container whose end nobody saw: evicted pods and lost nodes leave no status. */
export const unknownExitCode = -1;

/** Whether the whole pod is over, whatever its containers' statuses still say (evicted, node lost). */
export const podEnded = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Life of one container; `status` is its own, absent before the kubelet has looked at the pod. */
export function phaseOf(pod: Pod, status: ContainerStatus | undefined): Phase {
  const state = status?.state;
  if (state?.terminated) return terminated(state.terminated);
  if (podEnded(pod)) return endedWithPod(pod);
  const deleted = Boolean(pod.metadata?.deletionTimestamp);
  if (state?.running) return deleted ? { kind: 'terminating' } : { kind: 'running' };
  return deleted ? { kind: 'waiting', reason: 'Terminating' } : waiting(pod, status);
}

/** The run before, from `lastState`. */
export function lastRunOf(status: ContainerStatus | undefined): EndedRun | undefined {
  const last = status?.lastState?.terminated;
  if (!last) return undefined;
  return {
    ...ending(last),
    ...(last.containerID ? { containerId: last.containerID } : {}),
    ...(last.startedAt ? { startedAt: last.startedAt } : {}),
  };
}

const terminated = (state: TerminatedState): Phase => ({ kind: 'terminated', ...ending(state) });

const ending = (state: TerminatedState) => ({
  exitCode: state.exitCode ?? unknownExitCode,
  reason: state.reason ?? (state.exitCode === 0 ? 'Completed' : 'Error'),
  ...(state.message ? { message: state.message } : {}),
  ...(state.finishedAt ? { finishedAt: state.finishedAt } : {}),
});

function endedWithPod({ status }: Pod): Phase {
  const exitCode = status?.phase === 'Succeeded' ? 0 : unknownExitCode;
  return withMessage(
    { kind: 'terminated', exitCode, reason: status?.reason || status?.phase || 'Failed' },
    status?.message,
  );
}

/** What a waiting container really waits for: an init container that does not get on, a node, or itself. */
function waiting(pod: Pod, status: ContainerStatus | undefined): Phase {
  const own = status?.state?.waiting;
  if (own?.reason && own.reason !== 'PodInitializing')
    return withMessage({ kind: 'waiting', reason: own.reason }, own.message);
  const init = blockingInit(pod);
  if (init) return init;
  if (own?.reason) return withMessage({ kind: 'waiting', reason: own.reason }, own.message);
  const unscheduled = listOf(pod.status?.conditions).find(c => c.type === 'PodScheduled' && c.status === 'False');
  return withMessage(
    { kind: 'waiting', reason: unscheduled?.reason || pod.status?.reason || 'Pending' },
    unscheduled?.message,
  );
}

/** The first init container that is not done, if it has something to say. */
function blockingInit(pod: Pod): Phase | undefined {
  for (const spec of listOf(pod.spec?.initContainers)) {
    const status = listOf(pod.status?.initContainerStatuses).find(s => s.name === spec.name);
    if (!status || isDone(spec, status)) continue;
    const { waiting: stuck, terminated: failed } = status.state ?? {};
    if (stuck?.reason === 'PodInitializing') return undefined;
    const reason = stuck?.reason ?? (failed ? (failed.reason ?? 'Error') : 'PodInitializing');
    const detail = stuck?.message ?? failed?.message ?? (failed ? `exit code ${failed.exitCode}` : 'not finished');
    return { kind: 'waiting', reason, message: `init container ${spec.name}: ${detail}` };
  }
  return undefined;
}

const isDone = (spec: PodContainer, { state, started }: ContainerStatus) =>
  spec.restartPolicy === 'Always' ? Boolean(started ?? state?.running) : state?.terminated?.exitCode === 0;

const withMessage = (phase: Phase, message: string | undefined): Phase =>
  (message ? { ...phase, message } : phase) as Phase;
