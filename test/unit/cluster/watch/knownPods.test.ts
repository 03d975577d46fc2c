import assert from 'node:assert/strict';
import test from 'node:test';
import type { Detection } from '../../../../src/core/model.ts';
import type { Pod } from '../../../../src/cluster/pods/pod.ts';
import { KnownPods } from '../../../../src/cluster/watch/knownPods.ts';

const detection: Detection = { verdict: 'live', ports: {}, evidence: 'flags', found: 'x', listed: true };

const podOf = (containers: readonly string[], uid = 'u1'): Pod => ({
  metadata: { name: 'web', namespace: 'shop', uid },
  spec: { containers: containers.map(name => ({ name })) },
  status: {
    containerStatuses: containers.map(name => ({ name, containerID: `id-${name}-${uid}`, state: { running: {} } })),
  },
});

function known(remarks: readonly string[] = []) {
  const pods = new KnownPods({
    cluster: 'c',
    source: 'pods',
    detect: spec => ({ ...detection, listed: spec.name !== 'plain' }),
    remarks: () => remarks.map(text => ({ key: text, text })),
  });
  const kinds = (events: readonly { kind: string }[]) => events.map(({ kind }) => kind);
  return { pods, see: (pod: Pod) => kinds(pods.see(pod)), remove: (pod: Pod) => kinds(pods.delete(pod)) };
}

test('known pods: a container that is no longer listed is gone, the others stay', () => {
  const { see, pods } = known();
  assert.deepEqual(see(podOf(['a', 'b', 'plain'])), ['seen', 'seen']);
  assert.deepEqual(see(podOf(['a', 'plain'])), ['gone']);
  assert.deepEqual(
    pods.containers().map(({ container }) => container),
    ['a'],
  );
  assert.deepEqual(see(podOf(['plain'])), ['gone']);
  assert.equal(pods.has('shop/web'), false);
});

test('known pods: what was told already is silent', () => {
  const { see } = known();
  assert.deepEqual(see(podOf(['a'])), ['seen']);
  assert.deepEqual(see(podOf(['a'])), []);
});

test('known pods: another uid under the name', () => {
  const { see, remove } = known();
  see(podOf(['a']));
  assert.deepEqual(see(podOf(['a'], 'u2')), ['gone', 'seen']);
  assert.deepEqual(remove(podOf(['a'])), []);
  assert.deepEqual(remove(podOf(['a'], 'u2')), ['gone']);
});

test('known pods: an end is told before the pod is gone', () => {
  const { see, remove } = known();
  see(podOf(['a']));
  const ended = {
    ...podOf(['a']),
    status: { containerStatuses: [{ name: 'a', state: { terminated: { exitCode: 3 } } }] },
  };
  assert.deepEqual(remove(ended), ['seen', 'gone']);
});

test('known pods: a remark is made once, and in one harmless line', () => {
  const { pods } = known(['odd\u001b[31m\nannotation']);
  const [notice, ...rest] = pods.see(podOf([]));
  assert.deepEqual(notice, { kind: 'notice', source: 'pods', level: 'warn', text: 'odd ⏎ annotation' });
  assert.deepEqual(rest, []);
  assert.deepEqual(pods.see(podOf([])), []);
});
