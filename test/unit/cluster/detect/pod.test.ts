import assert from 'node:assert/strict';
import test from 'node:test';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import type { Pod, PodContainer } from '../../../../src/cluster/pods/pod.ts';

const node = (name: string, port: number): PodContainer => ({ name, command: ['node', `--inspect=${port}`, 'a.js'] });

test('set-up: the same debug port in two containers is said on both', () => {
  const pod: Pod = { spec: { containers: [node('a', 9229), node('b', 9229), node('c', 9230)] } };
  const reasons = pod.spec!.containers!.map(container => detect(container, pod).reason);
  assert.match(reasons[0]!, /Container b .* 9229 too/);
  assert.match(reasons[1]!, /Container a .* 9229 too/);
  assert.equal(reasons[2], undefined);
});

const neighbours: [string, Pod, boolean][] = [
  ['sidecar', { spec: { initContainers: [{ ...node('x', 9229), restartPolicy: 'Always' }] } }, true],
  ['init container', { spec: { initContainers: [node('x', 9229)] } }, false],
  ['ephemeral container', { spec: { ephemeralContainers: [node('x', 9229)] } }, true],
  [
    'ended ephemeral container',
    {
      spec: { ephemeralContainers: [node('x', 9229)] },
      status: { ephemeralContainerStatuses: [{ name: 'x', state: { terminated: { exitCode: 0 } } }] },
    },
    false,
  ],
];
for (const [name, pod, clash] of neighbours)
  test(`set-up: the port of an ${name} ${clash ? 'clashes' : 'does not clash'}`, () => {
    const web = node('web', 9229);
    const seen = detect(web, { ...pod, spec: { containers: [web], ...pod.spec } });
    assert.equal(seen.reason !== undefined, clash);
  });

test('set-up: an init container of Skaffold tells .NET', () => {
  const web = { name: 'web', volumeMounts: [{ mountPath: '/dbg' }] };
  const pod = { spec: { containers: [web], initContainers: [{ name: 'install-netcore-debug-support' }] } };
  const seen = detect(web, pod);
  assert.deepEqual([seen.runtime, seen.verdict, seen.listed], ['netcore', 'live', true]);
});

test('set-up: text from a pod cannot bring control characters', () => {
  const seen = detect({ name: 'web', command: ['node', '--inspect=9229\u001b[31m\u202e', 'a.js'] }, {});
  assert.doesNotMatch(JSON.stringify(seen), /\\u001b|\u202e/);
});

test('set-up: whatever a file holds, nothing is thrown', () => {
  const junk: unknown[] = [
    null,
    0,
    true,
    '',
    'x',
    [],
    [null],
    [1, {}],
    {},
    { name: 7 },
    [{ name: 7, value: {} }],
    [['x']],
  ];
  for (const key of ['name', 'image', 'command', 'args', 'env', 'ports', 'workingDir', 'volumeMounts', 'stdin'])
    for (const value of junk) {
      const container = { command: ['node'], [key]: value } as PodContainer;
      for (const spec of [undefined, null, { containers: value, initContainers: value, ephemeralContainers: value }])
        assert.ok(detect(container, { spec, metadata: value } as Pod).verdict);
    }
});

for (const [flag, takesMany] of Object.entries({
  '--accept-multiclient': true,
  '--accept-multiclient=true': true,
  '--accept-multiclient=false': false,
  '--log': false,
}))
  test(`set-up: dlv with ${flag} takes ${takesMany ? 'several clients' : 'one client'}, with and without an annotation`, () => {
    const container = { name: 'api', command: ['dlv', 'exec', '--headless', '--listen=:56268', flag, '/app'] };
    const config = { api: { runtime: 'go', ports: { dlv: 56268 } } };
    const annotations = { 'debug.cloud.google.com/config': JSON.stringify(config) };
    for (const metadata of [{}, { annotations }]) {
      const seen = detect(container, { metadata, spec: { containers: [container] } });
      assert.equal(seen.takesMany ?? false, takesMany);
    }
  });
