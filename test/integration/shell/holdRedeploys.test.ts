import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { EventLog } from '../../../src/core/eventLog.ts';
import type { Container, Session } from '../../../src/core/model.ts';
import { Store } from '../../../src/core/store.ts';
import { HoldRedeploys } from '../../../src/shell/skaffold/holdRedeploys.ts';
import { callsOf } from '../../support/scriptedSkaffold/calls.ts';
import type { Play } from '../../support/scriptedSkaffold/play.ts';
import { startSkaffoldServer } from '../../support/skaffoldServer.ts';
import { container } from '../../support/containers.ts';
import { eventually } from '../demo/support.ts';

type Triggers = Record<'build' | 'sync' | 'deploy', boolean>;

/** A Skaffold that speaks real gRPC, with these triggers on, and one of its containers under a debugger. */
async function arrange(t: TestContext, auto: Triggers) {
  const calls: string[] = [];
  const note = (name: string, request: unknown) => void calls.push(`${name} ${String(request)}`);
  const server = await startSkaffoldServer({ v1Calls: callsOf(() => ({ auto }) as unknown as Play, note) });
  t.after(() => server.kill());
  const log = new EventLog(() => new Date(0));
  const store = new Store(log);
  const source = `skaffold:${server.port}`;
  const about = { port: server.port, origin: 'launched', name: 'shop' } as const;
  store.apply({
    kind: 'skaffold',
    source,
    facts: [
      { kind: 'about', about },
      { kind: 'run', id: 'run-1' },
    ],
  });
  let isWanted = true;
  const hold = new HoldRedeploys({ store, isWanted: () => isWanted });
  t.after(() => hold.dispose());
  const web = container({ runId: 'run-1' });
  store.apply({ kind: 'seen', source: 'pods', container: web });
  store.apply({ kind: 'attached', session: sessionOn(web), sources: [] });
  const paused = (value: boolean) => store.apply({ kind: 'paused', sessionId: 's', paused: value });
  const notices = () => log.records.filter(({ kind }) => kind === 'noticeEvent').map(({ entry }) => entry);
  const said = (pattern: RegExp, times = 1) =>
    eventually(String(pattern), () => notices().filter(text => pattern.test(text)).length >= times || undefined);
  const want = (value: boolean) => {
    isWanted = value;
    store.apply({ kind: 'seen', source: 'pods', container: { ...web } }); // anything that happens
  };
  return { server, store, source, calls, paused, notices, said, hold, want, auto };
}

const sessionOn = (c: Container): Session => ({
  ...{ id: 's', slot: c.slot, instance: c.id, follow: c.follow, namespace: c.namespace, pod: c.pod },
  ...{ container: c.container, name: 'web', localPort: 1, paused: false },
});

const off = { build: false, sync: false, deploy: false };

test('paused: what is on goes off; resumed: exactly that goes on again', async t => {
  const { paused, said, auto, calls } = await arrange(t, { build: true, sync: false, deploy: true });
  paused(true);
  await said(/are held/);
  assert.deepEqual(auto, off);
  paused(false);
  await said(/go on/);
  assert.deepEqual(auto, { build: true, sync: false, deploy: true });
  assert.deepEqual(calls, [
    ...['auto build false', 'auto sync false', 'auto deploy false'],
    ...['auto build true', 'auto deploy true'],
  ]);
});

test('nothing is on: nothing is said, and nothing is switched on', async t => {
  const { paused, auto, calls, notices } = await arrange(t, { ...off });
  paused(true);
  await eventually('the calls', () => calls.length === 3 || undefined);
  paused(false);
  paused(true);
  await eventually('the next calls', () => calls.length === 6 || undefined);
  assert.deepEqual([auto, notices()], [off, []]);
});

test('stepping, in which a pause follows the other at once: in the end it is as it was', async t => {
  const { paused, said, auto } = await arrange(t, { build: true, sync: true, deploy: true });
  for (let i = 0; i < 20; i++) {
    paused(true);
    paused(false);
  }
  paused(true);
  await said(/are held/);
  assert.deepEqual(auto, off);
  paused(false);
  await said(/go on/);
  assert.deepEqual(auto, { build: true, sync: true, deploy: true });
});

test('the setting is switched off while it is held', async t => {
  const { paused, said, want, auto } = await arrange(t, { build: true, sync: false, deploy: false });
  paused(true);
  await said(/are held/);
  want(false);
  await said(/go on/);
  assert.equal(auto.build, true);
});

test('the setting is off: Skaffold is asked nothing', async t => {
  const { paused, want, calls, said, auto } = await arrange(t, { build: true, sync: false, deploy: false });
  want(false);
  paused(true);
  assert.deepEqual(calls, []);
  want(true);
  await said(/are held/);
  assert.equal(auto.build, false);
});

test('a Skaffold that is gone meanwhile is let be', async t => {
  const { server, store, source, paused, said, notices } = await arrange(t, {
    build: true,
    sync: false,
    deploy: false,
  });
  paused(true);
  await said(/are held/);
  server.kill();
  store.apply({ kind: 'drained', source, drain: { events: 0, ms: 0, outcome: 'connection-lost' } });
  paused(false);
  assert.deepEqual(
    notices().filter(text => /go on|still held/.test(text)),
    [],
  );
});

test('a Skaffold that does not answer: the log says so, and what it means', async t => {
  const { server, paused, said, hold } = await arrange(t, { build: true, sync: false, deploy: false });
  paused(true);
  await said(/are held/);
  server.kill();
  paused(false);
  await said(/still held, turn them on again by hand: /);
  hold.dispose();
});

test('the window goes: what is held is let go', async t => {
  const { paused, said, hold, auto } = await arrange(t, { build: true, sync: false, deploy: false });
  paused(true);
  await said(/are held/);
  hold.dispose();
  await eventually('the trigger', () => auto.build || undefined);
});
