import type { Workload } from '../../core/model.ts';
import { listOf } from './lists.ts';
import type { Pod } from './pod.ts';

/** Labels that name the hash which a controller of ReplicaSets puts into their names. */
const hashLabels = { 'pod-template-hash': 'Deployment', 'rollouts-pod-template-hash': 'Rollout' } as const;

/**
 * A Job of a CronJob ends in its scheduled time, in minutes (seconds before Kubernetes 1.21) since 1970. Numbers far from
 * our time are something else, such as a date (20260131).
 */
const scheduledJob = /^(.+)-(?:(?:2[6-9]|3\d)\d{6}|1[5-7]\d{8})$/;

/** What a pod belongs to: its controlling owner, or what owns that as far as the names tell; a bare pod is its own. */
export function workloadOf(pod: Pod): Workload {
  const owner = listOf(pod.metadata?.ownerReferences).find(reference => reference.controller);
  // A pod of a node's own files belongs to that node, and has nothing in common with the others there.
  if (!owner?.kind || !owner.name || owner.kind === 'Node') return { kind: 'Pod', name: pod.metadata?.name ?? '' };
  if (owner.kind === 'ReplicaSet') return ofReplicaSet(owner.name, pod.metadata?.labels ?? {});
  const cronJob = owner.kind === 'Job' ? scheduledJob.exec(owner.name)?.[1] : undefined;
  return cronJob ? { kind: 'CronJob', name: cronJob } : { kind: owner.kind, name: owner.name };
}

function ofReplicaSet(name: string, labels: Readonly<Record<string, string>>): Workload {
  for (const [label, kind] of Object.entries(hashLabels)) {
    const suffix = `-${labels[label]}`;
    if (labels[label] && name.length > suffix.length && name.endsWith(suffix))
      return { kind, name: name.slice(0, -suffix.length) };
  }
  return { kind: 'ReplicaSet', name };
}
