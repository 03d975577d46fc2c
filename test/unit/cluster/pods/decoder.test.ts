import assert from 'node:assert/strict';
import test from 'node:test';
import type { Detection } from '../../../../src/core/model.ts';
import { decodePod, isOver } from '../../../../src/cluster/pods/decoder.ts';
import type { ContainerStatus, Detect, Pod } from '../../../../src/cluster/pods/pod.ts';

const detection: Detection = { verdict: 'live', ports: {}, evidence: 'flags', found: 'x', listed: true };
/** Everything counts as debuggable, but for containers named `plain`. */
const detect: Detect = spec => ({ ...detection, listed: spec.name !== 'plain' });

const decode = (pod: Pod) => decodePod(pod, { cluster: 'c', detect });
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const ended = (exitCode: number, more: object = {}) => ({ terminated: { exitCode, ...more } });
const status = (name: string, state: object, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  state,
  ...more,
});

const base = { metadata: { name: 'web-1', namespace: 'shop', uid: 'u1' }, spec: { containers: [{ name: 'app' }] } };
const deletedBase = { ...base, metadata: { ...base.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
const withInit = (init: object, more: object = {}): Pod => ({
  ...base,
  spec: { ...base.spec, initContainers: [{ name: 'install-nodejs-debug-support', ...more }] },
  status: {
    phase: 'Pending',
    initContainerStatuses: [{ name: 'install-nodejs-debug-support', ...init }],
    containerStatuses: [status('app', { waiting: { reason: 'PodInitializing' } })],
  },
});

const phases: { name: string; pod: Pod; want: string; over?: boolean }[] = [
  { name: 'no status at all', pod: base, want: 'waiting Pending' },
  { name: 'status is empty', pod: { ...base, status: {} }, want: 'waiting Pending' },
  { name: 'status is null', pod: { ...base, status: null }, want: 'waiting Pending' },
  { name: 'statuses are null', pod: { ...base, status: { containerStatuses: null } }, want: 'waiting Pending' },
  {
    name: 'a state that is null',
    pod: { ...base, status: { containerStatuses: [{ name: 'app', state: null }] } },
    want: 'waiting Pending',
  },
  {
    name: 'no node for it',
    pod: {
      ...base,
      status: {
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }],
      },
    },
    want: 'waiting Unschedulable: 0/3 nodes',
  },
  {
    name: 'waiting for its image',
    pod: {
      ...base,
      status: {
        containerStatuses: [status('app', { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } })],
      },
    },
    want: 'waiting ImagePullBackOff: no such image',
  },
  {
    name: 'H09: an init container waits for its image',
    pod: withInit({ state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } }),
    want: 'waiting ImagePullBackOff: init container install-nodejs-debug-support: no such image',
  },
  {
    name: 'an init container runs',
    pod: withInit({ state: running }),
    want: 'waiting PodInitializing: init container install-nodejs-debug-support: not finished',
  },
  {
    name: 'an init container failed',
    pod: withInit({ state: ended(3, { reason: 'Error' }) }),
    want: 'waiting Error: init container install-nodejs-debug-support: exit code 3',
  },
  { name: 'an init container is done', pod: withInit({ state: ended(0) }), want: 'waiting PodInitializing' },
  {
    name: 'a sidecar has started',
    pod: withInit({ state: running, started: true }, { restartPolicy: 'Always' }),
    want: 'waiting PodInitializing',
  },
  {
    name: 'a sidecar has not started',
    pod: withInit({ state: running, started: false }, { restartPolicy: 'Always' }),
    want: 'waiting PodInitializing: init container install-nodejs-debug-support: not finished',
  },
  { name: 'it runs', pod: { ...base, status: { containerStatuses: [status('app', running)] } }, want: 'running' },
  {
    name: 'H03: it runs in a pod that is being deleted',
    pod: { ...deletedBase, status: { containerStatuses: [status('app', running)] } },
    want: 'terminating',
  },
  { name: 'it waits in a pod that is being deleted', pod: deletedBase, want: 'waiting Terminating' },
  {
    name: 'it crashed and comes again',
    pod: { ...base, status: { phase: 'Running', containerStatuses: [status('app', ended(1, { reason: 'Error' }))] } },
    want: 'terminated 1 Error',
    over: false,
  },
  {
    name: 'it ended in a pod that is being deleted',
    pod: { ...deletedBase, status: { containerStatuses: [status('app', ended(143))] } },
    want: 'terminated 143 Error',
    over: true,
  },
  {
    name: 'restartPolicy Never',
    pod: {
      ...base,
      spec: { ...base.spec, restartPolicy: 'Never' },
      status: { containerStatuses: [status('app', ended(1))] },
    },
    want: 'terminated 1 Error',
    over: true,
  },
  {
    name: 'restartPolicy OnFailure and a failure',
    pod: {
      ...base,
      spec: { ...base.spec, restartPolicy: 'OnFailure' },
      status: { containerStatuses: [status('app', ended(1))] },
    },
    want: 'terminated 1 Error',
    over: false,
  },
  {
    name: 'restartPolicy OnFailure and success',
    pod: {
      ...base,
      spec: { ...base.spec, restartPolicy: 'OnFailure' },
      status: { containerStatuses: [status('app', ended(0))] },
    },
    want: 'terminated 0 Completed',
    over: true,
  },
  {
    name: 'H07: evicted without statuses',
    pod: { ...base, status: { phase: 'Failed', reason: 'Evicted', message: 'low on disk', containerStatuses: [] } },
    want: 'terminated -1 Evicted: low on disk',
    over: true,
  },
  {
    name: 'H07: ContainerStatusUnknown',
    pod: {
      ...base,
      status: { phase: 'Failed', containerStatuses: [status('app', ended(137, { reason: 'ContainerStatusUnknown' }))] },
    },
    want: 'terminated 137 ContainerStatusUnknown',
    over: true,
  },
  {
    name: 'the node was lost while it ran',
    pod: { ...base, status: { phase: 'Failed', reason: 'NodeLost', containerStatuses: [status('app', running)] } },
    want: 'terminated -1 NodeLost',
    over: true,
  },
  {
    name: 'a finished Job',
    pod: { ...base, status: { phase: 'Succeeded' } },
    want: 'terminated 0 Succeeded',
    over: true,
  },
];

for (const { name, pod, want, over = false } of phases)
  test(`phase: ${name}`, () => {
    const [container] = decode(pod);
    const { phase } = container!;
    const words = [phase.kind, 'exitCode' in phase ? phase.exitCode : '', 'reason' in phase ? phase.reason : ''];
    const message = 'message' in phase ? `: ${phase.message}` : '';
    assert.equal(words.filter(word => word !== '').join(' ') + message, want);
    assert.equal(isOver(container!, pod), over);
  });

test('decodePod: H08, regular containers, sidecars and ephemeral ones, by name, and none that is not debuggable', () => {
  const pod: Pod = {
    ...base,
    spec: {
      containers: [{ name: 'front' }, { name: 'plain' }, { name: 'back' }],
      initContainers: [{ name: 'setup' }, { name: 'proxy', restartPolicy: 'Always' }],
      ephemeralContainers: [{ name: 'debugger', targetContainerName: 'front' }],
    },
    status: {
      containerStatuses: [
        status('back', running, { containerID: 'b' }),
        status('front', running, { containerID: 'f' }),
      ],
      initContainerStatuses: [status('proxy', running, { containerID: 'p' })],
      ephemeralContainerStatuses: [status('debugger', ended(0), { containerID: 'd' })],
    },
  };
  const all = decode(pod);
  assert.deepEqual(
    all.map(({ container, kind, containerId }) => [container, kind, containerId]),
    [
      ['front', 'regular', 'f'],
      ['back', 'regular', 'b'],
      ['proxy', 'sidecar', 'p'],
      ['debugger', 'ephemeral', 'd'],
    ],
  );
  assert.deepEqual(
    all.map(container => isOver(container, pod)),
    [false, false, false, true],
  );
});

test('decodePod: all that is known of a run, and of the one before', () => {
  const [container] = decode({
    metadata: { ...base.metadata, ownerReferences: [{ kind: 'StatefulSet', name: 'db', controller: true }] },
    spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] },
    status: {
      containerStatuses: [
        status('app', running, {
          ready: true,
          restartCount: 3,
          containerID: 'containerd://4',
          lastState: ended(137, {
            reason: 'OOMKilled',
            startedAt: 's',
            finishedAt: 'f',
            containerID: 'containerd://3',
          }),
        }),
      ],
    },
  });
  const { slot, id, follow, detection: seen, ...rest } = container!;
  assert.ok(slot !== (id as string) && id !== (follow as string));
  assert.equal(seen.listed, true);
  assert.deepEqual(rest, {
    cluster: 'c',
    namespace: 'shop',
    pod: 'web-1',
    podUid: 'u1',
    container: 'app',
    kind: 'regular',
    workload: { kind: 'StatefulSet', name: 'db' },
    image: 'registry.example/app:1',
    phase: { kind: 'running' },
    ready: true,
    restarts: 3,
    containerId: 'containerd://4',
    startedAt: '2026-01-01T00:00:00Z',
    last: { exitCode: 137, reason: 'OOMKilled', startedAt: 's', finishedAt: 'f', containerId: 'containerd://3' },
  });
});

test('decodePod: H02, a restart count that falls is not a new run', () => {
  const at = (restartCount: number, containerID: string) =>
    decode({ ...base, status: { containerStatuses: [status('app', running, { restartCount, containerID })] } })[0]!.id;
  assert.notEqual(at(2, 'c3'), at(3, 'c4'));
  assert.equal(at(3, 'c4'), at(2, 'c4'));
});

test('decodePod: H12, two pods of one workload are two rows that are followed as one', () => {
  const of = (name: string, uid: string) =>
    decode({
      ...base,
      metadata: {
        name,
        namespace: 'shop',
        uid,
        ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true }],
      },
    })[0]!;
  const [one, two] = [of('web-1', 'u1'), of('web-2', 'u2')];
  assert.notEqual(one.slot, two.slot);
  assert.equal(one.follow, two.follow);
});

test('decodePod: what is missing or odd does not throw', () => {
  const odd: Pod[] = [
    {},
    { metadata: null },
    { metadata: {}, spec: null },
    { ...base, spec: { containers: null, initContainers: null } },
    { ...base, spec: { containers: [{}] } },
  ];
  for (const pod of odd) assert.deepEqual(decode(pod), []);
});

test('the run id of a Skaffold is known of all containers of its pod, and is a text or nothing', () => {
  const labelled = (id: unknown): Pod => ({
    ...base,
    metadata: { ...base.metadata, labels: { 'skaffold.dev/run-id': id as string } },
  });
  assert.equal(decode(labelled('r1'))[0]?.runId, 'r1');
  for (const none of ['', 7, null, undefined]) assert.ok(!('runId' in decode(labelled(none))[0]!));
});
