import assert from 'node:assert/strict';
import test from 'node:test';
import { waiting } from '../../../support/containers.ts';
import { arrange, pod, settled, terminating } from './bench.ts';

/** All orders of two lists' steps that keep each list's own order. */
function merges<T>(a: readonly T[], b: readonly T[]): T[][] {
  if (a.length === 0 || b.length === 0) return [[...a, ...b]];
  return [
    ...merges(a.slice(1), b).map(rest => [a[0]!, ...rest]),
    ...merges(a, b.slice(1)).map(rest => [b[0]!, ...rest]),
  ];
}

const oldPod = ['a terminates', 'a is lost', 'a goes'] as const;
const oldPodLostLast = ['a terminates', 'a goes', 'a is lost'] as const;
const oldPodEndsFirst = ['a terminates', 'a ends', 'a is lost', 'a goes'] as const;
const newPod = ['b waits', 'b runs'] as const;
const orders = [oldPod, oldPodLostLast, oldPodEndsFirst].flatMap(old => merges<string>(old, newPod));

for (const order of orders)
  test(`H56: one debugger, on the new pod, whatever the order: ${order.join(', ')}`, async t => {
    const { coordinator, see, lose, store, started, debuggers } = arrange(t);
    const a = pod('a');
    const b = pod('b', { startedAt: '2026-12-01T10:00:00Z' });
    see(a);
    await coordinator.attach(a.slot);
    const steps: Record<string, () => void> = {
      'a terminates': () => see({ ...a, ...terminating }),
      'a is lost': () => store.state.sessions.has('s1') && lose('s1'),
      'a ends': () => see({ ...a, phase: { kind: 'terminated', exitCode: 0, reason: 'Completed' } }),
      'a goes': () => store.apply({ kind: 'gone', source: 'pods', slot: a.slot }),
      'b waits': () => see({ ...b, phase: waiting('ContainerCreating') }),
      'b runs': () => see(b),
    };
    for (const step of order) {
      steps[step]!();
      await settled();
    }
    assert.deepEqual(debuggers(), [['uid-b', 'web']]);
    assert.equal(started.filter(line => line === 'forward to uid-a').length, 1, 'a is never attached to anew');
    assert.equal(store.state.following.size, 0);
  });

test('follow: a program that is paused in a terminating pod is left to the user; the debugger goes on when the pod has gone', async t => {
  const { coordinator, see, lose, paused, debuggers, store } = arrange(t);
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  paused.fire({ sessionId: 's1', paused: true });
  see({ ...a, ...terminating });
  see(pod('b'));
  await settled();
  assert.deepEqual(debuggers(), [['uid-a', 'web']]);
  store.apply({ kind: 'gone', source: 'pods', slot: a.slot });
  lose('s1');
  await settled();
  assert.deepEqual(debuggers(), [['uid-b', 'web']]);
});

test('follow: an attach to the successor by another way waits for the debugger that moves there', async t => {
  const { coordinator, see, debuggers, store } = arrange(t);
  const a = pod('a');
  const b = pod('b');
  see(a);
  await coordinator.attach(a.slot);
  see({ ...a, ...terminating });
  see(b);
  await coordinator.attach(b.slot);
  await settled();
  assert.deepEqual(debuggers(), [['uid-b', 'web']]);
  assert.equal(store.state.following.size, 0);
});

test('H12: replicas keep their names apart; one that was there before is no successor', async t => {
  const { coordinator, see, lose, debuggers, store } = arrange(t);
  const [a, b, c] = [pod('a'), pod('b'), pod('c')];
  for (const one of [a, b, c]) see(one);
  await coordinator.attach(a.slot);
  await coordinator.attach(b.slot);
  assert.deepEqual(debuggers(), [
    ['uid-a', 'web'],
    ['uid-b', 'web #2'],
  ]);
  store.apply({ kind: 'gone', source: 'pods', slot: b.slot });
  lose('s2');
  await settled();
  assert.deepEqual(debuggers(), [['uid-a', 'web']], 'not c');
  see(pod('d'));
  await settled();
  assert.deepEqual(debuggers(), [
    ['uid-a', 'web'],
    ['uid-d', 'web #2'],
  ]);
});

test('follow: the pod of the same name comes before all others (StatefulSet)', async t => {
  const { coordinator, see, lose, debuggers, store } = arrange(t);
  const named = (name: string, podUid: string) => pod(podUid, { pod: name, podUid });
  const [a, b] = [named('db-0', 'uid-0'), named('db-1', 'uid-1')];
  see(a);
  see(b);
  await coordinator.attach(a.slot);
  store.apply({ kind: 'gone', source: 'pods', slot: a.slot });
  store.apply({ kind: 'gone', source: 'pods', slot: b.slot });
  see({ ...named('db-1', 'uid-3'), phase: waiting('ContainerCreating') });
  see({ ...named('db-0', 'uid-2'), phase: waiting('ContainerCreating') });
  lose('s1');
  see(named('db-1', 'uid-3'));
  see(named('db-0', 'uid-2'));
  await settled();
  assert.deepEqual(debuggers(), [['uid-2', 'web']]);
});
