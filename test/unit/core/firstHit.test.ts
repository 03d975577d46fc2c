import assert from 'node:assert/strict';
import test from 'node:test';
import { FirstHit } from '../../../src/core/firstHit.ts';
import { UserError } from '../../../src/core/errors.ts';
import { arrange, pod, settled } from './follow/bench.ts';

const three = () => [pod('a'), pod('b'), pod('c')] as const;

test('first hit: all are attached; the first that pauses keeps its debugger, the others are detached', async t => {
  const { coordinator, store, see, debuggers, paused, log } = arrange(t);
  const pods = three();
  for (const one of pods) see(one);
  const hit = new FirstHit(
    store,
    coordinator,
    pods.map(({ slot }) => slot),
  );
  await hit.start();
  assert.equal(debuggers().length, 3);
  const [, second] = debuggers();
  const session = [...store.state.sessions.values()].find(({ name }) => name === second![1])!;
  paused.fire({ sessionId: session.id, paused: true });
  await settled();
  assert.deepEqual(debuggers(), [second]);
  assert.match(log.records.map(({ entry }) => entry).join('\n'), /has paused first, in pod web-7d9c-b: the other/);
  paused.fire({ sessionId: session.id, paused: false });
  await coordinator.attach(pods[0].slot);
  const again = [...store.state.sessions.values()].find(({ slot }) => slot === pods[0].slot)!;
  paused.fire({ sessionId: again.id, paused: true });
  await settled();
  assert.equal(debuggers().length, 2, 'it is over after the first');
});

test('first hit: a replica that is replaced meanwhile counts by its successor', async t => {
  const { coordinator, store, see, lose, debuggers, paused } = arrange(t);
  const pods = three();
  for (const one of pods) see(one);
  await new FirstHit(
    store,
    coordinator,
    pods.map(({ slot }) => slot),
  ).start();
  const first = [...store.state.sessions.values()].find(({ slot }) => slot === pods[0].slot)!;
  store.apply({ kind: 'gone', source: 'pods', slot: pods[0].slot });
  lose(first.id);
  see(pod('d'));
  await settled();
  const after = [...store.state.sessions.values()].find(({ pod: name }) => name === 'web-7d9c-d')!;
  paused.fire({ sessionId: after.id, paused: true });
  await settled();
  assert.deepEqual(debuggers(), [['uid-d', first.name]]);
});

test('first hit: a hit while others are still attached to cancels them, and is no failure', async t => {
  let isFirst = true;
  const never = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const { coordinator, store, see, debuggers, paused } = arrange(t, {
    ready(signal) {
      const isReady = isFirst;
      isFirst = false;
      return isReady ? Promise.resolve({}) : never(signal);
    },
  });
  const pods = three();
  for (const one of pods) see(one);
  const started = new FirstHit(
    store,
    coordinator,
    pods.map(({ slot }) => slot),
  ).start();
  await settled();
  const [session] = store.state.sessions.values();
  paused.fire({ sessionId: session!.id, paused: true });
  await started;
  await settled();
  assert.deepEqual([debuggers().length, store.state.attaches.size], [1, 0]);
});

test('attach all: those that fail are counted with their causes, the others are attached', async t => {
  let starts = 0;
  const { coordinator, store, see, debuggers } = arrange(t, {
    async start() {
      if (++starts > 1) throw new UserError('no', 'No debugger.');
    },
  });
  const pods = three();
  for (const one of pods) see(one);
  const started = new FirstHit(
    store,
    coordinator,
    pods.map(({ slot }) => slot),
  ).start();
  await assert.rejects(started, (error: UserError) => {
    assert.equal(error.message, '2 of 3 debuggers could not be attached.');
    assert.equal(error.cause, 'No debugger.');
    return true;
  });
  assert.equal(debuggers().length, 1);
});
