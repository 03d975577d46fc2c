import assert from 'node:assert/strict';
import test from 'node:test';
import { UserError } from '../../../../src/core/errors.ts';
import { rowAt } from '../../../../src/core/selectors.ts';
import { waiting } from '../../../support/containers.ts';
import { arrange, pod, settled, terminating } from './bench.ts';

test('follow: the next run of a restarted container has the debugger again, same name, same local port, no view opened', async t => {
  const { coordinator, see, lose, store, started, wishes, log } = arrange(t);
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  lose('s1');
  see({ ...a, phase: waiting('ContainerCreating') });
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.followed, 'web');
  assert.equal(store.state.sessions.size, 0);
  const next = pod('a', { containerId: 'a-2', restarts: 1 });
  see(next);
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.state, 'attached');
  assert.equal(rowAt(store.state, a.slot)?.followed, undefined);
  assert.deepEqual(wishes.slice(-1), [40_001]);
  assert.deepEqual([started[1], started.at(-1)], ['web', 'web, quietly']);
  const entries = log.records.map(({ entry }) => entry).filter(entry => entry.startsWith('Debugger'));
  assert.deepEqual(entries, [
    'Debugger attached: web, pod/web-7d9c-a at 127.0.0.1:40001',
    'Debugger detached: web, pod/web-7d9c-a',
    'Debugger lost: web. It is attached again when its container, or the one that takes its place, runs',
    'Debugger attached again: web, pod/web-7d9c-a at 127.0.0.1:40001',
  ]);
});

test('follow: a process that starts anew in its container (nodemon) is waited for; the row says so', async t => {
  let listens = Promise.withResolvers<object>();
  listens.resolve({});
  const { coordinator, see, lose, store } = arrange(t, { ready: () => listens.promise });
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  listens = Promise.withResolvers();
  lose('s1');
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.state, 'waiting-for-listener');
  listens.resolve({});
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.state, 'attached');
});

test('follow: attached to the next run before the watch tells of it, the debugger is not taken for lost', async t => {
  const { coordinator, see, lose, store } = arrange(t);
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  lose('s1');
  await settled();
  see(pod('a', { containerId: 'a-2', restarts: 1 }));
  assert.equal(rowAt(store.state, a.slot)?.state, 'attached');
  see(pod('a', { containerId: 'a-3', restarts: 2 }));
  assert.equal(rowAt(store.state, a.slot)?.state, 'lost', 'only once');
});

test('follow: who detaches means it', async t => {
  const { coordinator, see, store, started } = arrange(t);
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  await coordinator.detach(a.slot);
  see(pod('a', { containerId: 'a-2', restarts: 1 }));
  await settled();
  assert.equal(started.length, 2);
  assert.equal(store.state.following.size, 0);
});

test('follow: given up by a detach while nothing is there to attach to', async t => {
  const { coordinator, see, lose, store, started, warnings } = arrange(t);
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  see({ ...a, phase: waiting('ContainerCreating') });
  lose('s1');
  await coordinator.detach(a.slot);
  see(pod('a', { containerId: 'a-2', restarts: 1 }));
  await settled();
  assert.equal(started.length, 2);
  assert.equal(store.state.following.size, 0);
  assert.deepEqual(warnings(), []);
});

test('follow: no storm on a crash loop; the log says why', async t => {
  const { coordinator, see, lose, started, warnings } = arrange(t);
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  lose('s1');
  const short = { startedAt: '2026-12-01T10:00:00Z', finishedAt: '2026-12-01T10:00:02Z' };
  const last = { exitCode: 1, reason: 'Error', ...short };
  see(pod('a', { phase: waiting('CrashLoopBackOff'), restarts: 2, last }));
  await settled();
  for (let n = 3; n < 8; n++) see(pod('a', { containerId: `a-${n}`, restarts: n, last }));
  await settled();
  assert.deepEqual(
    started.filter(line => line.startsWith('web')),
    ['web'],
  );
  assert.match(warnings().join(), /^web is not attached again: the container ends again and again/);
});

test('follow: a container that has done its work is not waited for', async t => {
  const { coordinator, see, lose, store } = arrange(t);
  const a = pod('a', { workload: { kind: 'Job', name: 'web' } });
  see(a);
  await coordinator.attach(a.slot);
  see({ ...a, phase: { kind: 'terminated', exitCode: 0, reason: 'Completed' } });
  lose('s1');
  assert.equal(store.state.following.size, 0);
});

test('follow: the run ends while it is attached to again; the next one has the debugger, and no failure is told', async t => {
  let listens = true;
  const never = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const { coordinator, see, lose, store, log } = arrange(t, {
    ready: signal => (listens ? Promise.resolve({}) : never(signal)),
  });
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  listens = false;
  lose('s1');
  await settled();
  see({ ...a, phase: { kind: 'terminated', exitCode: 1, reason: 'Error', willRestart: true } });
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.state, 'starting');
  assert.equal(rowAt(store.state, a.slot)?.failure, undefined);
  listens = true;
  see(pod('a', { containerId: 'a-2', restarts: 1 }));
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.state, 'attached');
  assert.deepEqual(
    log.records.filter(({ level }) => level === 'error').map(({ entry }) => entry),
    [],
  );
});

test('follow: a start that fails is tried three times, then the row has its failure', async t => {
  let tries = -1;
  const { coordinator, see, lose, store, warnings } = arrange(t, {
    start: async () => {
      if (++tries > 0) throw new UserError('session-not-started', 'No.');
    },
  });
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  lose('s1');
  await settled();
  assert.equal(tries, 3);
  assert.equal(rowAt(store.state, a.slot)?.failure?.code, 'session-not-started');
  assert.deepEqual(warnings(), ['web is not attached again: it could not be attached again (No.)']);
});

test('follow: a listener that fails while the program is only starting is asked again', async t => {
  let failures = 0;
  const { coordinator, see, lose, store } = arrange(t, {
    ready: async () => {
      if (failures-- > 0) throw new UserError('closed-at-once', 'It ends each connection.');
      return {};
    },
  });
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  failures = 2;
  lose('s1');
  await settled();
  assert.equal(rowAt(store.state, a.slot)?.state, 'attached');
});

test('follow: nothing comes for long', async t => {
  const { coordinator, see, lose, store, warnings } = arrange(t, { successorMs: 5 });
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  store.apply({ kind: 'gone', source: 'pods', slot: a.slot });
  lose('s1');
  await settled();
  assert.equal(store.state.following.size, 0);
  assert.match(warnings().join(), /^web is not attached again: nothing has taken its place within/);
});

for (const { rule, answer, isAttached, questions } of [
  { rule: 'never', answer: true, isAttached: false, questions: 0 },
  { rule: 'ask', answer: true, isAttached: true, questions: 1 },
  { rule: 'ask', answer: false, isAttached: false, questions: 1 },
] as const)
  test(`follow: rule ${rule}, answer ${answer}`, async t => {
    const { coordinator, see, lose, asked, debuggers } = arrange(t, { rule, answer });
    const a = pod('a');
    see(a);
    await coordinator.attach(a.slot);
    see({ ...a, phase: waiting('ContainerCreating') });
    lose('s1');
    see(pod('a', { containerId: 'a-2', restarts: 1 }));
    see(pod('a', { containerId: 'a-2', restarts: 1, ready: false }));
    await settled();
    assert.equal(debuggers().length, isAttached ? 1 : 0);
    assert.equal(asked.length, questions);
  });

test('follow: under the rule "ask" a debugger does not move from a terminating pod by itself', async t => {
  const { coordinator, see, debuggers, asked } = arrange(t, { rule: 'ask', answer: true });
  const a = pod('a');
  see(a);
  await coordinator.attach(a.slot);
  see({ ...a, ...terminating });
  see(pod('b'));
  await settled();
  assert.deepEqual(debuggers(), [['uid-a', 'web']]);
  assert.equal(asked.length, 0);
});
