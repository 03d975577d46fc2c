import type { ContainerStatus, Pod } from './objects.ts';

const column = (name: string, description: string, priority = 0, type = 'string', format = '') => ({
  name,
  type,
  format,
  description,
  priority,
});

/** The columns of `kubectl get pods` (kubernetes `pkg/printers/internalversion`); priority 1 is for `-o wide`. */
export const POD_COLUMNS = [
  column('Name', 'Name must be unique within a namespace.', 0, 'string', 'name'),
  column('Ready', 'The aggregate readiness state of this pod for accepting traffic.'),
  column('Status', 'The aggregate status of the containers in this pod.'),
  column('Restarts', 'The number of times the containers in this pod have been restarted.'),
  column('Age', 'Time since the pod was created.'),
  column('IP', 'IP address allocated to the pod.', 1),
  column('Node', 'Node on which the pod runs.', 1),
  column('Nominated Node', 'Node that may run the pod.', 1),
  column('Readiness Gates', 'Conditions that the pod waits for.', 1),
];

/** One row, in the order of the columns. */
export function podCells(pod: Pod): string[] {
  const statuses = pod.status.containerStatuses ?? [];
  const ready = statuses.filter(status => status.ready && status.state.running).length;
  return [
    pod.metadata.name,
    `${ready}/${pod.spec.containers.length}`,
    statusWord(pod, statuses),
    restarts(statuses),
    age(pod.metadata.creationTimestamp),
    pod.status.podIP ?? '<none>',
    pod.spec.nodeName ?? '<none>',
    '<none>',
    '<none>',
  ];
}

function statusWord(pod: Pod, statuses: readonly ContainerStatus[]): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const reason = statuses.map(stateWord).find(word => word !== '') ?? '';
  const running = statuses.some(status => status.ready && status.state.running);
  if (reason === 'Completed' && running) return 'Running';
  return reason || (pod.status.reason ?? pod.status.phase);
}

function stateWord({ state }: ContainerStatus): string {
  if (state.waiting) return state.waiting.reason;
  if (!state.terminated) return '';
  const { reason, signal, exitCode } = state.terminated;
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function restarts(statuses: readonly ContainerStatus[]): string {
  const count = statuses.reduce((sum, status) => sum + status.restartCount, 0);
  const ends = statuses.flatMap(status => status.lastState.terminated?.finishedAt ?? []).sort();
  return count > 0 && ends.length > 0 ? `${count} (${age(ends.at(-1)!)} ago)` : String(count);
}

const age = (since: string) => shortDuration(Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1000)));

/** As apimachinery's `duration.HumanDuration` writes it. */
export function shortDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return joined(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return joined(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (days < 8) return joined(days, 'd', hours % 24, 'h');
  return `${days}d`;
}

const joined = (most: number, unit: string, rest: number, restUnit: string) =>
  rest === 0 ? `${most}${unit}` : `${most}${unit}${rest}${restUnit}`;
