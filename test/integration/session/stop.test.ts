import assert from 'node:assert/strict';
import test from 'node:test';
import { status } from '@grpc/grpc-js';
import { v2Event } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';
import { deploy } from '../skaffold/support.ts';
import { Clock, launched } from './support.ts';

const cleaningUp = v2Event(9, {
  skaffoldLogEvent: { task_id: 'DevLoop-1', subtask_id: '-1', level: 7, message: 'Cleaning up...\n' },
});

const told = (process: { readonly told: readonly string[] }, what: string) =>
  eventually(what, () => process.told.includes(what) || undefined);

test('a stop: debuggers leave, Skaffold is interrupted, and its last events are read and counted', async t => {
  const { client, server, process, children } = await launched(t);
  await client.request('terminate');
  await told(process, 'interrupt');
  assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach']);
  server.v2(cleaningUp);
  for (let n = 1; n <= 4; n++) server.v1(deploy(10 + n, `last ${n}`));
  await client.said(/^last 4$/);
  server.endStreams(status.UNAVAILABLE);
  process.end({ code: 0, signal: null });
  await client.terminated();
  const outcome = /^Stopped reading skaffold:\d+: 5 events in the last \d+ ms, complete$/;
  assert.deepEqual(
    client.order(
      'terminate answered',
      'Stopping Skaffold…',
      /^last \d$/,
      outcome,
      'Skaffold has ended.',
      'exited',
      'terminated',
    ),
    [
      ...['terminate answered', 'Stopping Skaffold…', ...Array<string>(4).fill(String(/^last \d$/))],
      ...[String(outcome), 'Skaffold has ended.', 'exited', 'terminated'],
    ],
  );
  assert.deepEqual(client.events('exited')[0]!.body, { exitCode: 0 });
  assert.deepEqual(process.told, ['interrupt']);
  await client.request('disconnect');
  assert.equal(client.events('terminated').length, 1);
});

test('a Skaffold that has ended and whose streams do not is read no longer than the drain', async t => {
  const { client, process } = await launched(t);
  await client.request('terminate');
  await told(process, 'interrupt');
  process.end({ code: 0, signal: null });
  await client.terminated();
  await client.said(/^Stopped reading .* not complete: the time was over$/);
});

test('a Skaffold that is killed from outside ends the session, with what that means for its last events', async t => {
  const { client, server, process, children } = await launched(t);
  server.kill();
  process.end({ code: null, signal: 'SIGKILL' });
  await client.terminated();
  assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach']);
  assert.deepEqual(process.told, []);
  const outcome = /^Stopped reading .*the connection broke without a word$/;
  assert.deepEqual(client.order(outcome, 'Skaffold was ended by SIGKILL.', 'exited', 'terminated'), [
    ...[String(outcome), 'Skaffold was ended by SIGKILL.', 'exited', 'terminated'],
  ]);
  assert.deepEqual(client.events('exited')[0]!.body, { exitCode: 137 });
});

test('streams that break while Skaffold runs are opened again, also while it ends', async t => {
  const { client, server, process } = await launched(t);
  server.endStreams(status.UNAVAILABLE);
  server.v1(deploy(1, 'meanwhile'));
  await client.said(/^meanwhile$/);
  await client.request('terminate');
  await told(process, 'interrupt');
  server.v2(cleaningUp);
  server.endStreams(status.UNAVAILABLE);
  server.v1(deploy(2, 'at last'));
  await client.said(/^at last$/);
  server.kill();
  process.end({ code: 0, signal: null });
  await client.terminated();
  await client.said(/^Stopped reading .* complete$/);
  assert.equal(client.lines().filter(line => line.startsWith('Lost skaffold')).length, 1);
});

test('a Skaffold that does not hear is told to terminate, then killed, each with a word', async t => {
  const clock = new Clock();
  const { client, server, process } = await launched(t, { own: { sleep: clock.sleep } });
  await client.request('terminate');
  await clock.pass(30_000);
  await told(process, 'terminate');
  await client.said(/^Skaffold has not ended within 30 s: it is told to terminate\.$/);
  await clock.pass(5000);
  await told(process, 'kill');
  server.kill();
  await client.said(/^Skaffold goes on: it is killed/);
  await client.terminated();
  assert.deepEqual(process.told, ['interrupt', 'terminate', 'kill']);
  assert.equal(clock.count, 0);
});

for (const second of ['terminate', 'disconnect'])
  test(`a second stop, by ${second}, kills at once`, async t => {
    const clock = new Clock();
    const { client, server, process } = await launched(t, { own: { sleep: clock.sleep } });
    await client.request('terminate');
    await told(process, 'interrupt');
    const seq = client.send(second, { terminateDebuggee: true });
    await told(process, 'kill');
    server.kill();
    await client.terminated();
    assert.equal((await client.answered(seq)).success, true);
    assert.equal(process.told.includes('terminate'), false);
  });

test('debuggers that do not leave in time are named, and Skaffold is stopped all the same', async t => {
  const { client, server, process, children } = await launched(t);
  children.late = Promise.resolve(['web (shop)', 'api (shop)']);
  await client.request('terminate');
  await told(process, 'interrupt');
  await client.said(/^Not detached within 2 s: web \(shop\), api \(shop\)/);
  server.kill();
  process.end({ code: 0, signal: null });
  await client.terminated();
});

test('a disconnect that ends Skaffold kills it, and is answered in time even when debuggers hang', async t => {
  const clock = new Clock();
  const { client, process, children } = await launched(t, { own: { sleep: clock.sleep } });
  children.late = new Promise(() => {});
  const seq = client.send('disconnect', { terminateDebuggee: true });
  assert.deepEqual(process.told, ['kill']);
  await clock.pass(1500);
  assert.equal((await client.answered(seq)).success, true);
});

test('a disconnect that leaves Skaffold running takes the debuggers alone; nobody reads it then', async t => {
  const { client, server, process, children, store } = await launched(t);
  await client.request('disconnect', { terminateDebuggee: false });
  assert.deepEqual(process.told, ['leave']);
  assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach']);
  assert.deepEqual(client.order('exited', 'terminated'), ['terminated']);
  await eventually('it to be gone', () => store.state.sources.size === 0 || undefined);
  assert.equal(server.cutInReplay, 0);
});

test('a disconnect that leaves Skaffold is answered in time when debuggers hang', async t => {
  const clock = new Clock();
  const { client, process, children } = await launched(t, { own: { sleep: clock.sleep } });
  children.late = new Promise(() => {});
  const seq = client.send('disconnect', { terminateDebuggee: false });
  await clock.pass(1500);
  await client.answered(seq);
  assert.deepEqual(process.told, ['leave']);
});

test('a window that closes asks Skaffold to end, says nothing more and leaves no timer', async t => {
  const clock = new Clock();
  const { adapter, client, process } = await launched(t, { own: { sleep: clock.sleep } });
  const before = client.messages.length;
  adapter.dispose();
  assert.deepEqual(process.told, ['interrupt']);
  process.print('too late\n');
  await eventually('no timer', () => clock.count === 0 || undefined);
  assert.equal(client.messages.length, before);
});

test('a window that closes while Skaffold ends does not kill it', async t => {
  const clock = new Clock();
  const { adapter, client, process } = await launched(t, { own: { sleep: clock.sleep } });
  await client.request('terminate');
  await told(process, 'interrupt');
  adapter.dispose();
  await eventually('no timer', () => clock.count === 0 || undefined);
  assert.equal(process.told.includes('kill'), false);
});
