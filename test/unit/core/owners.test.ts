import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { EventLog } from '../../../src/core/eventLog.ts';
import type { Container, Session } from '../../../src/core/model.ts';
import { type AttachRules, Owners, type OwnersParts } from '../../../src/core/owners.ts';
import type { AutoAttachRule } from '../../../src/core/runs.ts';
import { Store } from '../../../src/core/store.ts';
import { container } from '../../support/containers.ts';

const source = 'skaffold:50051';

const named = (name: string, parts: Parameters<typeof container>[0] = {}) =>
  container({ container: name, podUid: `uid-${name}`, containerId: `${name}-1`, ...parts });

const rules = (autoAttach: AutoAttachRule, artifacts: AttachRules['artifacts'] = new Map()): AttachRules => ({
  autoAttach,
  artifacts,
});

/** A store with a run whose id is `run-1`; attaching is only noted, and told to the store as a session. */
function arrange(t: TestContext, given: Partial<OwnersParts> = {}) {
  const store = new Store(new EventLog(() => new Date(0)));
  const attached: string[] = [];
  const detached: string[] = [];
  const parts: OwnersParts = {
    store,
    attach: {
      attach: async slot => {
        const at = store.state.entries.get(slot)!.container;
        attached.push(at.container);
        store.apply({ kind: 'attached', session: sessionOn(at, owners.wishesFor(at)?.owner), sources: [] });
      },
      detach: async slot => {
        const session = [...store.state.sessions.values()].find(one => one.slot === slot);
        detached.push(session?.container ?? 'an attach under way');
        if (session) store.apply({ kind: 'detached', sessionId: session.id });
      },
    },
    isProtected: () => false,
    hasBreakpoints: () => false,
    ask: async () => false,
    ...given,
  };
  const owners = new Owners(parts);
  t.after(() => owners.dispose());
  store.apply({ kind: 'skaffold', source, facts: [{ kind: 'run', id: 'run-1' }] });
  const see = (one: Container) => store.apply({ kind: 'seen', source: 'pods', container: one });
  return { owners, store, attached, detached, see };
}

const sessionOn = (c: Container, owner: string | undefined): Session => ({
  id: `session of ${c.container}`,
  slot: c.slot,
  instance: c.id,
  follow: c.follow,
  namespace: c.namespace,
  pod: c.pod,
  container: c.container,
  name: c.container,
  localPort: 1,
  paused: false,
  ...(owner === undefined ? {} : { owner }),
});

/** Longer than bursts are gathered. */
const settled = () => delay(150);

test('what is ready, and what comes later, is attached to once; what belongs to no run of the owner is not', async t => {
  const { owners, attached, see, store } = arrange(t);
  see(named('early', { runId: 'run-1' }));
  see(named('foreign'));
  owners.open('s', source, rules('always'));
  see(named('late', { runId: 'run-1' }));
  await settled();
  assert.deepEqual(attached.toSorted(), ['early', 'late']);
  store.apply({ kind: 'detached', sessionId: 'session of early' });
  see(named('early', { runId: 'run-1', ready: false }));
  await settled();
  assert.deepEqual(attached.toSorted(), ['early', 'late'], 'who detaches means it');
  store.apply({ kind: 'detached', sessionId: 'session of late' });
  see(named('late', { runId: 'run-1', containerId: 'late-2', restarts: 1 }));
  await settled();
  assert.deepEqual(attached.toSorted(), ['early', 'late', 'late'], 'the next run is another one');
});

const choices: { name: string; rule: AutoAttachRule; given?: Partial<OwnersParts>; isAttached: boolean }[] = [
  { name: 'never', rule: 'never', isAttached: false },
  { name: 'ask, and yes', rule: 'ask', given: { ask: async () => true }, isAttached: true },
  { name: 'ask, and no', rule: 'ask', isAttached: false },
  {
    name: 'ifBreakpoints, and there are',
    rule: 'ifBreakpoints',
    given: { hasBreakpoints: () => true },
    isAttached: true,
  },
  { name: 'ifBreakpoints, and there are none', rule: 'ifBreakpoints', isAttached: false },
  { name: 'always, in a protected context', rule: 'always', given: { isProtected: () => true }, isAttached: false },
  {
    name: 'ask, in a protected context',
    rule: 'ask',
    given: { isProtected: () => true, ask: async () => true },
    isAttached: false,
  },
];
for (const { name, rule, given, isAttached } of choices)
  test(`auto-attach: ${name}`, async t => {
    const { owners, attached, see } = arrange(t, given);
    owners.open('s', source, rules(rule));
    see(named('web', { runId: 'run-1' }));
    await settled();
    assert.deepEqual(attached, isAttached ? ['web'] : []);
  });

test('ifBreakpoints: attached when the first breakpoint is set', async t => {
  let isSet = false;
  const { owners, attached, see } = arrange(t, { hasBreakpoints: () => isSet });
  owners.open('s', source, rules('ifBreakpoints'));
  see(named('web', { runId: 'run-1' }));
  await settled();
  assert.deepEqual(attached, []);
  isSet = true;
  owners.look();
  assert.deepEqual(attached, ['web']);
});

test('an artifact has its own rule and its own fields', async t => {
  const artifacts = new Map([['api', { autoAttach: 'never', configuration: { localRoot: '/here' } } as const]]);
  const { owners, attached, see } = arrange(t);
  owners.open('s', source, rules('always', artifacts));
  const api = named('api', { runId: 'run-1', detection: { artifact: 'api' } });
  see(api);
  see(named('web', { runId: 'run-1', detection: { artifact: 'web' } }));
  await settled();
  assert.deepEqual(attached, ['web']);
  assert.deepEqual(owners.wishesFor(api), { owner: 's', configuration: { localRoot: '/here' } });
});

test('a crash loop is left alone, until a run has lasted', async t => {
  const { owners, attached, see } = arrange(t);
  owners.open('s', source, rules('always'));
  const run = (containerId: string, restarts: number, seconds: string) =>
    named('web', {
      runId: 'run-1',
      containerId,
      restarts,
      last: {
        exitCode: 1,
        reason: 'Error',
        startedAt: '2026-01-01T00:00:00Z',
        finishedAt: `2026-01-01T00:00:${seconds}Z`,
      },
    });
  see(run('web-3', 2, '09'));
  await settled();
  assert.deepEqual(attached, []);
  see(run('web-4', 3, '11'));
  await settled();
  assert.deepEqual(attached, ['web']);
});

test('closed: nothing new; the children are detached, and those that hang are named', async t => {
  const { owners, store, attached, detached, see } = arrange(t);
  const children = owners.open('s', source, rules('always'));
  see(named('web', { runId: 'run-1' }));
  see(named('foreign'));
  store.apply({ kind: 'attached', session: sessionOn(named('foreign'), undefined), sources: [] });
  await settled();
  children.close();
  see(named('late', { runId: 'run-1' }));
  await settled();
  assert.deepEqual(attached, ['web']);
  assert.deepEqual(await children.detachAll(1000), []);
  assert.deepEqual(detached, ['web']);
});

test('a child that does not answer is named, and the others are detached', async t => {
  const { owners, store, see } = arrange(t, {
    attach: { attach: async () => undefined, detach: () => new Promise(() => undefined) },
  });
  const children = owners.open('s', source, rules('never'));
  const web = named('web', { runId: 'run-1' });
  see(web);
  store.apply({ kind: 'attached', session: sessionOn(web, 's'), sources: [] });
  assert.deepEqual(await children.detachAll(50), ['web']);
});

test('a cluster alone: its session owns what no run does', async t => {
  const { owners, attached, see } = arrange(t);
  owners.open('cluster', undefined, rules('always'));
  const ofRun = named('web', { runId: 'run-1' });
  see(named('plain'));
  await settled();
  assert.deepEqual(attached, ['plain']);
  owners.open('s', source, rules('never'));
  assert.equal(owners.wishesFor(ofRun)?.owner, 's');
  owners.forget('s');
  assert.equal(owners.wishesFor(named('plain'))?.owner, 'cluster');
});
