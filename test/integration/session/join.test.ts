import assert from 'node:assert/strict';
import test from 'node:test';
import { startSkaffoldServer } from '../../support/skaffoldServer.ts';
import { deploy } from '../skaffold/support.ts';
import { session } from './support.ts';

test('a running Skaffold is joined by its port; its end is the end of the session, and is said', async t => {
  const server = await startSkaffoldServer({ replay: [deploy(1, 'before')] });
  t.after(() => server.kill());
  const { client, children } = session(t);
  await client.begin('attach', { port: server.port });
  await client.said(/^before$/);
  server.kill();
  await client.terminated();
  assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach']);
  await client.said(/^Stopped reading skaffold:\d+: .* the connection broke without a word$/);
  assert.deepEqual(client.events('exited'), []);
  await client.request('disconnect');
});

for (const command of ['terminate', 'disconnect'])
  test(`a ${command} leaves a Skaffold that was joined as it is`, async t => {
    const server = await startSkaffoldServer();
    t.after(() => server.kill());
    const { client, children } = session(t);
    await client.begin('attach', { port: server.port });
    await client.request(command, { terminateDebuggee: true });
    await client.terminated();
    assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach']);
    await client.said(/^Skaffold at port \d+ runs on\.$/);
  });

test('a port where no Skaffold is, is said', async t => {
  const server = await startSkaffoldServer();
  server.kill();
  const { client, children } = session(t);
  await client.request('initialize', { pathFormat: 'path' });
  const answer = await client.answered(client.send('attach', { port: server.port }));
  assert.equal(answer.success, false);
  assert.match(answer.message!, /^No Skaffold answers at port \d+\. Start it with/);
  assert.deepEqual(children.did, []);
});

test('a cluster alone has debuggers and what the log says, until it is stopped', async t => {
  const { client, children, store } = session(t);
  await client.begin('attach');
  store.apply({ kind: 'notice', source: 'pods:shop', level: 'info', text: 'a pod' });
  await client.said(/^a pod$/);
  await client.request('terminate');
  await client.terminated();
  assert.deepEqual(children.did, ['open all', 'close', 'detach']);
});

test('a session that is restarted detaches and attaches again; what it joined is read on', async t => {
  const server = await startSkaffoldServer();
  t.after(() => server.kill());
  const { client, children } = session(t);
  await client.begin('attach', { port: server.port });
  await client.request('restart', {});
  assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach', 'open skaffold:PORT']);
  server.v1(deploy(1, 'afterwards'));
  await client.said(/^afterwards$/);
  assert.deepEqual([server.opened.v1, client.events('terminated')], [1, []]);
});
