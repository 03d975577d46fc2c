import assert from 'node:assert/strict';
import test from 'node:test';
import { ANNOTATION } from '../../../../src/cluster/detect/annotation.ts';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { skaffoldProblems } from '../../../../src/cluster/detect/skaffold.ts';
import type { Pod, PodContainer } from '../../../../src/cluster/pods/pod.ts';
import { Once } from '../../../../src/lib/once.ts';
import { KnownPods } from '../../../../src/cluster/watch/knownPods.ts';

const deployed = (metadata: Pod['metadata'], container: PodContainer = {}, status: Pod['status'] = {}): Pod => ({
  metadata: { name: 'web-5f-1', namespace: 'shop', uid: 'u1', labels: { 'skaffold.dev/run-id': 'r1' }, ...metadata },
  spec: { containers: [{ name: 'web', image: 'web', ...container }] },
  status,
});
const ownedBy = (kind: string, name: string, labels = {}) => ({
  labels: { 'skaffold.dev/run-id': 'r1', ...labels },
  ownerReferences: [{ kind, name, controller: true }],
});

const cases: { name: string; pod: Pod; says?: RegExp }[] = [
  {
    name: 'H57: nothing in the pod',
    pod: deployed(ownedBy('ReplicaSet', 'web-5f', { 'pod-template-hash': '5f' })),
    says: /^Deployment web \(shop\) is deployed by Skaffold, not configured for debugging: .*"skaffold dev".*did not recognise/,
  },
  {
    name: 'a runtime that Skaffold knows',
    pod: deployed({}, { command: ['node', 'server.js'] }),
    says: /^Pod web-5f-1 .*instead of "skaffold debug"\.$/,
  },
  {
    name: 'H11: a CronJob',
    pod: deployed(ownedBy('Job', 'report-29431080')),
    says: /^CronJob report .*does not set up pods of a CronJob\.$/,
  },
  {
    name: 'an Argo Rollout',
    pod: deployed(ownedBy('ReplicaSet', 'web-5f', { 'rollouts-pod-template-hash': '5f' })),
    says: /^Rollout web .*of a Rollout\.$/,
  },
  { name: 'not by Skaffold', pod: deployed({ labels: {} }) },
  { name: 'set up', pod: deployed({ annotations: { [ANNOTATION]: '{"web":{"runtime":"nodejs"}}' } }) },
  { name: 'flags of its own', pod: deployed({}, { command: ['node', '--inspect', 'server.js'] }) },
  { name: 'over', pod: deployed({}, {}, { phase: 'Succeeded' }) },
  { name: 'being deleted', pod: deployed({ deletionTimestamp: '2026-01-01T00:00:00Z' }) },
];
for (const { name, pod, says } of cases)
  test(`deployed by Skaffold: ${name}`, () => {
    const texts = skaffoldProblems(pod).map(({ text }) => text);
    assert.equal(texts.length, says ? 1 : 0);
    if (says) assert.match(texts[0]!, says);
  });

test('deployed by Skaffold: said once for a workload, not for each of its pods and runs', () => {
  const options = { cluster: 'c', source: 'pods', detect, remarks: skaffoldProblems, told: new Once() };
  const known = new KnownPods(options);
  const hashed = (hash: string) => ownedBy('ReplicaSet', `web-${hash}`, { 'pod-template-hash': hash });
  const events = ['5f', '6a', '6a'].flatMap((hash, i) => known.see(deployed({ ...hashed(hash), uid: `u${i}` })));
  assert.deepEqual(
    events.map(event => event.kind === 'notice' && event.level),
    ['info'],
  );
  assert.deepEqual(new KnownPods(options).see(deployed(hashed('7b'))), [], 'looking again');
  assert.equal(new KnownPods({ ...options, cluster: 'd' }).see(deployed(hashed('7b'))).length, 1, 'another cluster');
});
