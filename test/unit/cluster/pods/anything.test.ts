import assert from 'node:assert/strict';
import test from 'node:test';
import { ANNOTATION, annotationProblems } from '../../../../src/cluster/detect/annotation.ts';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { decodePod, isOver } from '../../../../src/cluster/pods/decoder.ts';
import type { Pod } from '../../../../src/cluster/pods/pod.ts';

/** A pod that has everything that is read of one. */
const full = () => ({
  kind: 'Pod',
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'u1',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'pod-template-hash': '5f' },
    annotations: { [ANNOTATION]: '{"web":{"runtime":"nodejs","ports":{"devtools":9229}},"gone":1}' },
    ownerReferences: [{ kind: 'ReplicaSet', name: 'web-5f', controller: true }],
  },
  spec: {
    restartPolicy: 'Always',
    containers: [
      {
        name: 'web',
        image: 'web:1',
        command: ['sh', '-c', 'node --inspect app.js'],
        args: ['a'],
        env: [{ name: 'NODE_OPTIONS', value: '--inspect=9230' }],
        ports: [{ name: 'devtools', containerPort: 9229 }],
        volumeMounts: [{ mountPath: '/dbg' }],
        workingDir: '/app',
      },
    ],
    initContainers: [{ name: 'side', restartPolicy: 'Always', command: ['dlv', 'exec', '--headless', '/app'] }],
    ephemeralContainers: [{ name: 'look', command: ['python', '-m', 'debugpy', '--listen', '5678', 'a.py'] }],
  },
  status: {
    phase: 'Running',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
    containerStatuses: [
      {
        name: 'web',
        containerID: 'c1',
        restartCount: 1,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        lastState: { terminated: { exitCode: 1, containerID: 'c0', reason: 'Error' } },
      },
    ],
    initContainerStatuses: [{ name: 'side', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    ephemeralContainerStatuses: [{ name: 'look', state: { terminated: { exitCode: 1 } } }],
  },
});

const odd: readonly unknown[] = [null, undefined, 0, 7, '', 'x', true, [], [null], [[]], [{}], {}, { a: null }];

/** Every place in a value, as the keys that lead there. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...placesIn(inner).map(place => [key, ...place])]);
}

function withOdd(place: readonly string[], value: unknown): Pod {
  const pod: unknown = full();
  const parent = place.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], pod);
  (parent as Record<string, unknown>)[place.at(-1)!] = value;
  return pod as Pod;
}

for (const place of placesIn(full()))
  test(`a pod with anything at ${place.join('.')}`, () => {
    for (const value of odd) {
      const pod = withOdd(place, value);
      for (const container of decodePod(pod, { cluster: 'c', detect })) isOver(container, pod);
      assert.ok(Array.isArray(annotationProblems(pod)));
    }
  });
