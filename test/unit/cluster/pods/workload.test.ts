import assert from 'node:assert/strict';
import test from 'node:test';
import type { Pod } from '../../../../src/cluster/pods/pod.ts';
import { workloadOf } from '../../../../src/cluster/pods/workload.ts';

const owned = (kind: string, name: string, labels: Record<string, string> = {}, controller = true): Pod => ({
  metadata: { name: 'pod-1', labels, ownerReferences: [{ kind, name, controller }] },
});

const cases: { name: string; pod: Pod; want: string }[] = [
  { name: 'a bare pod', pod: { metadata: { name: 'pod-1' } }, want: 'Pod pod-1' },
  { name: 'owner references are null', pod: { metadata: { name: 'pod-1', ownerReferences: null } }, want: 'Pod pod-1' },
  { name: 'an owner that does not control', pod: owned('Thing', 'x', {}, false), want: 'Pod pod-1' },
  {
    name: 'a Deployment',
    pod: owned('ReplicaSet', 'web-7d4b9c', { 'pod-template-hash': '7d4b9c' }),
    want: 'Deployment web',
  },
  {
    name: 'a name that looks like a hash',
    pod: owned('ReplicaSet', 'web-7d4b9c-5f', { 'pod-template-hash': '5f' }),
    want: 'Deployment web-7d4b9c',
  },
  {
    name: 'a Rollout',
    pod: owned('ReplicaSet', 'web-5f', { 'rollouts-pod-template-hash': '5f' }),
    want: 'Rollout web',
  },
  { name: 'a ReplicaSet of its own', pod: owned('ReplicaSet', 'web-x'), want: 'ReplicaSet web-x' },
  {
    name: 'a hash that is not in the name',
    pod: owned('ReplicaSet', 'web', { 'pod-template-hash': '5f' }),
    want: 'ReplicaSet web',
  },
  {
    name: 'a StatefulSet',
    pod: owned('StatefulSet', 'db', { 'controller-revision-hash': 'db-1' }),
    want: 'StatefulSet db',
  },
  { name: 'a Job', pod: owned('Job', 'import'), want: 'Job import' },
  { name: 'a Job of a CronJob', pod: owned('Job', 'import-29431080'), want: 'CronJob import' },
  { name: 'a Job with a short number', pod: owned('Job', 'import-2'), want: 'Job import-2' },
  { name: 'a Job with a date', pod: owned('Job', 'import-20260131'), want: 'Job import-20260131' },
  { name: 'a Job of a CronJob before 1.21', pod: owned('Job', 'import-1609459200'), want: 'CronJob import' },
  { name: 'a DaemonSet', pod: owned('DaemonSet', 'agent'), want: 'DaemonSet agent' },
  { name: 'a pod of the node itself', pod: owned('Node', 'node1'), want: 'Pod pod-1' },
  { name: 'a kind of somebody else', pod: owned('Workflow', 'w'), want: 'Workflow w' },
];

for (const { name, pod, want } of cases)
  test(`workload: ${name}`, () => {
    const { kind, name: of } = workloadOf(pod);
    assert.equal(`${kind} ${of}`, want);
  });
