import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { AttachCoordinator, type AttachParts } from '../../../src/core/attach.ts';
import type { Forward, Recipe, SessionEnd } from '../../../src/core/contracts.ts';
import { UserError } from '../../../src/core/errors.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import { Emitter } from '../../../src/lib/emitter.ts';
import { container } from '../../support/containers.ts';
import { noFollow } from '../../support/noFollow.ts';

// The coordinator joins the parts by their contracts alone; the real ones are joined in the integration and host tests.

const web = container({ containerId: 'c1' });
const broken = (code: string) => new UserError(code, `${code}.`, { cause: 'raw words', remedy: 'Do this.' });
const limitsMs = { debugger: 500, container: 500, forward: 500, listener: 500, paths: 500, session: 500 };
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

interface Given {
  recipeFor?(): Recipe;
  check?(): void;
  open?(signal: AbortSignal): Promise<Forward>;
  ready?(signal: AbortSignal, onWait?: (why: UserError) => void): Promise<object>;
  mapFor?(): Promise<never>;
  start?(signal: AbortSignal): Promise<string>;
  release?(): Promise<void>;
}

function arrange(given: Given = {}) {
  const calls: string[] = [];
  const ended = new Emitter<SessionEnd>();
  const log = new EventLog(() => new Date(0));
  const store = new Store(log);
  const forward: Forward = {
    localPort: 9229,
    onProblem: new Emitter<Error>().event,
    dial: async () => new PassThrough(),
    handOver: () => undefined,
    retarget: pod => calls.push(`retarget ${pod?.pod ?? 'nowhere'}`),
    dispose: () => calls.push('forward closed'),
  };
  const recipe: Recipe = {
    runtime: 'nodejs',
    type: 'node',
    label: 'Node.js',
    extensions: [],
    ports: ['devtools'],
    ready: async (_, { signal, onWait }) => (given.ready ? given.ready(signal, onWait) : {}),
    attach: () => ({}),
    ...(given.release ? { release: given.release } : {}),
  };
  const parts: AttachParts = {
    store,
    limitsMs,
    recipes: { recipeFor: () => given.recipeFor?.() ?? recipe },
    paths: { mapFor: async () => (given.mapFor ? given.mapFor() : { sources: ['Found there.'] }) },
    forwards: { open: async (_, signal) => (given.open ? given.open(signal) : forward) },
    sessions: {
      check: () => given.check?.(),
      start: async (_, signal) => {
        calls.push('start');
        return given.start ? given.start(signal) : 's1';
      },
      detach: async id => {
        calls.push(`detach ${id}`);
        ended.fire({ sessionId: id, isWanted: true });
      },
      focus: id => calls.push(`focus ${id}`),
      onDidEnd: ended.event,
      onDidPause: new Emitter<{ sessionId: string; paused: boolean }>().event,
    },
    follow: noFollow,
    configurationOf: () => ({ type: 'node', request: 'attach', name: 'web' }),
  };
  store.apply({ kind: 'source', source: 'pods', state: { kind: 'watching' } });
  store.apply({ kind: 'seen', source: 'pods', container: web });
  const coordinator = new AttachCoordinator(parts);
  return { coordinator, store, log, calls, row: () => rowsOf(store.state)[0], ended };
}

test('attach: steps, session on the row, detach closes the forward', async () => {
  const { coordinator, row, calls, log } = arrange();
  await coordinator.attach(web.slot);
  assert.equal(row()?.state, 'attached');
  await coordinator.attach(web.slot);
  await coordinator.detach(web.slot);
  assert.deepEqual(calls, ['start', 'focus s1', 'detach s1', 'forward closed']);
  assert.equal(row()?.state, 'ready');
  assert.deepEqual(
    log.records.filter(r => r.source === 'attach').map(r => r.entry),
    [
      'Debugger attached: web, pod/web-7d9c-x1 at 127.0.0.1:9229',
      'Sources of web: Found there.',
      'Debugger detached: web, pod/web-7d9c-x1',
    ],
  );
});

const failing: { step: string; given: Given; code: string; left: string[] }[] = [
  {
    step: 'debugger',
    given: {
      recipeFor: () => {
        throw broken('no-recipe');
      },
    },
    code: 'no-recipe',
    left: [],
  },
  {
    step: 'debugger',
    given: {
      check: () => {
        throw broken('debugger-missing');
      },
    },
    code: 'debugger-missing',
    left: [],
  },
  { step: 'forward', given: { open: () => Promise.reject(broken('no-right')) }, code: 'no-right', left: [] },
  { step: 'forward', given: { open: never }, code: 'step-timed-out', left: [] },
  {
    step: 'listener',
    given: { ready: () => Promise.reject(broken('refused')) },
    code: 'refused',
    left: ['forward closed'],
  },
  {
    step: 'listener',
    given: { ready: () => new Promise(() => undefined) },
    code: 'step-timed-out',
    left: ['forward closed'],
  },
  {
    step: 'paths',
    given: { mapFor: () => Promise.reject(broken('no-paths')) },
    code: 'no-paths',
    left: ['forward closed'],
  },
  {
    step: 'session',
    given: { start: () => Promise.reject(broken('not-started')) },
    code: 'not-started',
    left: ['start', 'forward closed'],
  },
  { step: 'session', given: { start: never }, code: 'step-timed-out', left: ['start', 'forward closed'] },
];

for (const { step, given, code, left } of failing)
  test(`attach: ${code} names the step "${step}" on the row and leaves nothing behind`, async () => {
    const { coordinator, row, calls } = arrange(given);
    await assert.rejects(coordinator.attach(web.slot), { code });
    assert.equal(row()?.failure?.step, step);
    assert.equal(row()?.failure?.code, code);
    assert.equal(row()?.state, 'ready', 'it can be tried again');
    assert.deepEqual(calls, left);
  });

test('H28: six clicks while the attach is under way start one session', async () => {
  const { coordinator, calls } = arrange();
  await Promise.all(Array.from({ length: 6 }, () => coordinator.attach(web.slot)));
  assert.deepEqual(calls, ['start']);
});

test('attach: the container goes while the listener is awaited', async () => {
  const { coordinator, store, calls } = arrange({ ready: never });
  const attach = coordinator.attach(web.slot);
  const outcome = assert.rejects(attach, { code: 'container-gone' });
  await new Promise(setImmediate);
  store.apply({ kind: 'gone', source: 'pods', slot: web.slot });
  await outcome;
  assert.deepEqual(calls, ['forward closed']);
  assert.equal(store.state.attaches.size, 0);
});

test('attach: cancelled by detach, without a failure on the row', async () => {
  const { coordinator, row } = arrange({ ready: never });
  const outcome = assert.rejects(coordinator.attach(web.slot), { code: 'attach-cancelled' });
  await new Promise(setImmediate);
  assert.equal(row()?.state, 'waiting-for-listener');
  await coordinator.detach(web.slot);
  await outcome;
  assert.equal(row()?.state, 'ready');
  assert.equal(row()?.failure, undefined);
});

test('attach: a container that is restarted while its session starts has the session, and has not lost it', async () => {
  const restarted = container({ containerId: 'c2' });
  const { coordinator, row, store } = arrange({
    start: async () => {
      store.apply({ kind: 'seen', source: 'pods', container: restarted });
      return 's1';
    },
  });
  await coordinator.attach(web.slot);
  assert.notEqual(restarted.id, web.id);
  assert.equal(row()?.state, 'attached');
});

test('attach: not offered while terminating', async () => {
  const { coordinator, store, calls } = arrange();
  store.apply({ kind: 'seen', source: 'pods', container: { ...web, phase: { kind: 'terminating' } } });
  await assert.rejects(coordinator.attach(web.slot), { code: 'container-not-ready' });
  assert.deepEqual(calls, []);
});

test('a gone pod closes its forward’s way; the session ends by itself', async () => {
  const { coordinator, store, calls, ended } = arrange();
  await coordinator.attach(web.slot);
  store.apply({ kind: 'gone', source: 'pods', slot: web.slot });
  assert.ok(calls.includes('retarget nowhere'));
  ended.fire({ sessionId: 's1', isWanted: false });
  assert.equal(store.state.sessions.size, 0);
  assert.ok(calls.includes('forward closed'));
});

test('looking elsewhere leaves the session and its forward alone; a container that ended meanwhile is gone', async () => {
  const { coordinator, calls, store } = arrange();
  await coordinator.attach(web.slot);
  store.apply({ kind: 'source-removed', source: 'pods' });
  store.apply({ kind: 'source', source: 'other pods', state: { kind: 'watching' } });
  store.apply({ kind: 'snapshot', source: 'other pods', containers: [] });
  store.apply({ kind: 'source', source: 'pods', state: { kind: 'watching' } });
  assert.deepEqual(calls, ['start']);
  store.apply({ kind: 'snapshot', source: 'pods', containers: [] });
  assert.deepEqual(calls.slice(0, 2), ['start', 'retarget nowhere']);
});

test('a suspended program keeps its probe’s connection when the session does not start, and the next attach takes it', async () => {
  let isBroken = true;
  const { coordinator, store, calls } = arrange({
    start: () => (isBroken ? Promise.reject(broken('not-started')) : Promise.resolve('s1')),
  });
  store.apply({
    kind: 'seen',
    source: 'pods',
    container: container({ containerId: 'c1', detection: { verdict: 'suspended' } }),
  });
  await assert.rejects(coordinator.attach(web.slot), { code: 'not-started' });
  assert.deepEqual(calls, ['start'], 'closing the connection would start the program');
  isBroken = false;
  await coordinator.attach(web.slot);
  await coordinator.detach(web.slot);
  assert.deepEqual(calls, ['start', 'start', 'detach s1', 'forward closed']);
});

for (const [name, end] of Object.entries({
  'its run ends': (store: Store) =>
    store.apply({ kind: 'seen', source: 'pods', container: container({ containerId: 'c2', restarts: 1 }) }),
  'its pod goes': (store: Store) => store.apply({ kind: 'gone', source: 'pods', slot: web.slot }),
}))
  test(`the kept connection of a suspended program is closed when ${name}`, async () => {
    const { coordinator, store, calls } = arrange({ start: () => Promise.reject(broken('not-started')) });
    const suspended = container({ containerId: 'c1', detection: { verdict: 'suspended' } });
    store.apply({ kind: 'seen', source: 'pods', container: suspended });
    await assert.rejects(coordinator.attach(web.slot), { code: 'not-started' });
    end(store);
    assert.deepEqual(calls, ['start', 'forward closed']);
  });

test('a program that its debugger may leave stopped is freed before the row is ready again; a next attach waits', async () => {
  let freed!: () => void;
  const { coordinator, row, calls, ended } = arrange({
    release: () => new Promise<void>(resolve => (freed = resolve)),
  });
  await coordinator.attach(web.slot);
  ended.fire({ sessionId: 's1', isWanted: false });
  assert.equal(row()?.state, 'attached');
  const next = coordinator.attach(web.slot);
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['start']);
  freed();
  await next;
  assert.deepEqual(calls, ['start', 'forward closed', 'start']);
});

test('a program that could not be freed is told in the log; one that is gone is not', async () => {
  const { coordinator, row, log, store, ended, calls } = arrange({ release: () => Promise.reject(broken('silent')) });
  await coordinator.attach(web.slot);
  await coordinator.detach(web.slot);
  assert.equal(row()?.state, 'ready');
  const warnings = () => log.records.filter(({ level }) => level === 'warn').map(({ entry }) => entry);
  assert.match(
    warnings().join(),
    /web could not be freed of what the Node\.js leaves behind \(.*\): it may be stopped/,
  );
  await coordinator.attach(web.slot);
  store.apply({ kind: 'gone', source: 'pods', slot: web.slot });
  ended.fire({ sessionId: 's1', isWanted: false });
  assert.equal(warnings().length, 1);
  assert.equal(calls.at(-1), 'forward closed');
});

test('the next run of a container is left alone: its debugger may wait for a client', async () => {
  const { coordinator, store, calls, ended } = arrange({ release: async () => void calls.push('freed') });
  await coordinator.attach(web.slot);
  store.apply({ kind: 'seen', source: 'pods', container: container({ containerId: 'c2', restarts: 1 }) });
  await coordinator.releaseAll();
  ended.fire({ sessionId: 's1', isWanted: false });
  assert.deepEqual(calls, ['start', 'forward closed']);
});

test('when the window goes, programs that their debuggers may leave stopped are freed while the forward is still open', async () => {
  const { coordinator, calls } = arrange({ release: async () => void calls.push('freed') });
  await coordinator.releaseAll(); // nothing is attached
  await coordinator.attach(web.slot);
  await coordinator.releaseAll();
  coordinator.dispose();
  assert.deepEqual(calls, ['start', 'freed', 'forward closed']);
});

test('when the window goes, a program that is being freed already is waited for', async () => {
  let freed!: () => void;
  const { coordinator, calls, ended } = arrange({ release: () => new Promise<void>(resolve => (freed = resolve)) });
  await coordinator.attach(web.slot);
  ended.fire({ sessionId: 's1', isWanted: false });
  const released = coordinator.releaseAll().then(() => coordinator.dispose());
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['start']);
  freed();
  await released;
  assert.deepEqual(calls, ['start', 'forward closed']);
});

test('attach: what the listener is waited for stands on the row, until it is there', async () => {
  const there = Promise.withResolvers<object>();
  const { coordinator, row } = arrange({
    ready: (_, onWait) => {
      onWait?.(new UserError('x', 'npm holds the port.'));
      return there.promise;
    },
  });
  const done = coordinator.attach(web.slot);
  while (row()?.reason === undefined) await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual([row()?.state, row()?.reason], ['waiting-for-listener', 'npm holds the port.']);
  there.resolve({});
  await done;
  assert.deepEqual([row()?.state, row()?.reason], ['attached', undefined]);
});
