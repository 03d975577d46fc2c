import type { Workload } from '../../core/model.ts';
import type { Pod } from './pod.ts';

/** Labels that name the hash which a controller of ReplicaSets puts into their names. */
const hashLabels = { 'pod-template-hash': 'Deployment', 'rollouts-pod-template-hash': 'Rollout' } as const;

/** A Job of a CronJob ends in its scheduled time, in minutes (seconds before Kubernetes 1.21) since 1970. */
const scheduledJob = /^(.+)-\d{8,10}$/;

/** What a pod belongs to: its controlling owner, or what owns that as far as the names tell; a bare pod is its own. */
export function workloadOf(pod: Pod): Workload {
  const owner = pod.metadata?.ownerReferences?.find(reference => reference.controller);
  if (!owner?.kind || !owner.name) return { kind: 'Pod', name: pod.metadata?.name ?? '' };
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
