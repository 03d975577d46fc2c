import assert from 'node:assert/strict';
import test from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import { aborted } from '../../../src/lib/abortable.ts';
import { startSkaffoldServer, v1Entry } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';
import { deploy } from '../skaffold/support.ts';
import { FakeProcess, launched, session } from './support.ts';

const build = (second: number, artifact: string, text: string, actionableErr?: object) =>
  v1Entry(second, {
    buildEvent: {
      ...{ artifact, status: text, err: '', errCode: 0, hostPlatform: '', targetPlatforms: '' },
      actionableErr: actionableErr as never,
    },
  });

test('what Skaffold prints and what it tells are in the console, remarks of the preflight first', async t => {
  const { client, server, process } = await launched(t);
  process.print('Generating tags...\n - web -> web:\u001b[32mabc\u001b[0m\n - half');
  process.print(' a line\u001b[2J\n');
  process.print('warn: slow\n', 'stderr');
  server.v1(deploy(1, 'Deploy started'));
  await client.said(/^Deploy started$/);
  assert.deepEqual(client.lines('stdout'), [
    'Generating tags...',
    ' - web -> web:\u001b[32mabc\u001b[0m',
    ' - half a line',
  ]);
  assert.deepEqual(client.lines('stderr'), ['warn: slow']);
  assert.deepEqual(client.order('remark of the preflight', 'launch answered', 'Deploy started'), [
    ...['remark of the preflight', 'launch answered', 'Deploy started'],
  ]);
});

test('tasks of Skaffold are progress, each with what it works on', async t => {
  const { client, server } = await launched(t);
  server.v1(build(1, 'shop-web', 'In Progress'));
  await eventually('a start', () => client.events('progressStart')[0]);
  server.v1(build(2, 'shop-api', 'In Progress'));
  await eventually('an update', () => client.events('progressUpdate')[0]);
  server.v1(build(3, 'shop-web', 'Complete'), build(4, 'shop-api', 'Complete'));
  await eventually('an end', () => client.events('progressEnd')[0]);
  assert.partialDeepStrictEqual(
    client.events('progressStart').map(({ body }) => body as object),
    [{ progressId: 'skaffold-1', title: 'Skaffold builds', message: 'shop-web' }],
  );
  assert.partialDeepStrictEqual(client.events('progressUpdate')[0]!.body, { message: 'shop-api, shop-web' });
});

test('a build that fails ends the session, and is said again at its end with the advice', async t => {
  const { client, server, process } = await launched(t);
  const failure = {
    ...{ errCode: 101, message: 'server.ts(3,1): error TS1005' },
    suggestions: [{ suggestionCode: 100, action: 'Fix the source' }],
  };
  server.v1(build(1, 'shop-web', 'Failed', failure));
  await eventually('the build', () => client.lines('stderr').length > 0 || undefined);
  server.kill();
  process.end({ code: 1, signal: null });
  await client.terminated();
  const [problem, drain, end] = client.lines().slice(-3);
  assert.equal(problem, 'Build of shop-web failed: server.ts(3,1): error TS1005 Fix the source');
  assert.match(drain!, /^Stopped reading skaffold:\d+: 0 events in the last \d+ ms, perhaps not complete/);
  assert.equal(end, 'Skaffold has ended with exit code 1.');
  assert.deepEqual(client.events('exited')[0]!.body, { exitCode: 1 });
});

test('without debugging nothing is attached', async t => {
  const server = await startSkaffoldServer();
  t.after(() => server.kill());
  const { client, children } = session(t, { start: () => Promise.resolve(new FakeProcess(server.port)) });
  await client.begin('launch', { noDebug: true });
  await client.said(/^Watching skaffold:/);
  assert.deepEqual(children.did, []);
});

const failures = [
  { name: 'the configuration', own: { launchOf: () => fail() } },
  { name: 'the preflight', own: { preflight: () => Promise.resolve().then(fail) } },
  { name: 'the start', own: { start: () => Promise.resolve().then(fail) } },
];

function fail(): never {
  throw new UserError('no-kubectl', 'No {kubectl} was found.', { cause: 'ENOENT', remedy: 'Install it.' });
}

for (const { name, own } of failures)
  test(`what is wrong with ${name} is said in the answer and in the console`, async t => {
    const { client, children } = session(t, own);
    await client.request('initialize', { pathFormat: 'path' });
    const answer = await client.answered(client.send('launch'));
    const text = 'No {kubectl} was found. (ENOENT) Install it.';
    assert.equal(answer.success, false);
    assert.equal(answer.message, text);
    assert.equal(client.lines('stderr').at(-1), text);
    assert.deepEqual(children.did, []);
    await client.request('disconnect');
  });

for (const phase of ['preflight', 'start'] as const)
  for (const command of ['terminate', 'disconnect'])
    test(`a ${command} during the ${phase} ends it without a window that asks for attention`, async t => {
      const phases: string[] = [];
      const until = async (signal: AbortSignal): Promise<never> => {
        phases.push('begun');
        await aborted(signal);
        phases.push('aborted');
        throw signal.reason as Error;
      };
      const own = { [phase]: (_launch: unknown, signal: AbortSignal) => until(signal) };
      const { client } = session(t, own);
      await client.request('initialize', { pathFormat: 'path' });
      const seq = client.send('launch');
      await eventually('the phase', () => phases.includes('begun') || undefined);
      await client.request(command);
      const answer = await client.answered(seq);
      assert.equal(answer.success, false);
      assert.partialDeepStrictEqual(answer.body, { error: { showUser: false } });
      await client.terminated();
      assert.deepEqual(phases, ['begun', 'aborted']);
      assert.deepEqual(client.events('exited'), []);
    });

test('a Skaffold that starts in spite of a stop is not left behind', async t => {
  const process = new FakeProcess(1);
  const starting = Promise.withResolvers<FakeProcess>();
  const { client, adapter } = session(t, { start: () => starting.promise });
  await client.request('initialize', { pathFormat: 'path' });
  client.send('launch');
  await client.said(/^remark/);
  adapter.dispose();
  starting.resolve(process);
  await eventually('the kill', () => process.told.includes('kill') || undefined);
});

test('a restart stops in the same order, starts again and attaches again', async t => {
  const servers = [await startSkaffoldServer(), await startSkaffoldServer()];
  t.after(() => servers.forEach(server => server.kill()));
  const processes = servers.map(({ port }) => new FakeProcess(port));
  const left = [...processes];
  const seen: unknown[] = [];
  const { client, children } = session(t, { start: () => Promise.resolve(left.shift()!) });
  await client.begin('launch');
  await client.said(new RegExp(`^Watching skaffold:${servers[0]!.port}`));
  const seq = client.send('restart', { arguments: { name: 'again' } });
  await eventually('the interrupt', () => processes[0]!.told.includes('interrupt') || undefined);
  servers[0]!.kill();
  processes[0]!.end({ code: 0, signal: null });
  seen.push((await client.answered(seq)).success);
  await client.said(new RegExp(`^Watching skaffold:${servers[1]!.port}`));
  assert.deepEqual(children.did, ['open skaffold:PORT', 'close', 'detach', 'open skaffold:PORT']);
  assert.deepEqual(client.order('exited', 'terminated'), []);
  assert.deepEqual(seen, [true]);
  await client.request('terminate');
  await eventually('the interrupt', () => processes[1]!.told.includes('interrupt') || undefined);
  servers[1]!.kill();
  processes[1]!.end({ code: 0, signal: null });
  await client.terminated();
});

test('a stop during a restart starts nothing again; a second one kills', async t => {
  const { client, server, process } = await launched(t);
  const seq = client.send('restart', {});
  await eventually('the interrupt', () => process.told.includes('interrupt') || undefined);
  await client.request('terminate');
  assert.deepEqual(process.told, ['interrupt']);
  await client.request('terminate');
  server.kill();
  assert.equal((await client.answered(seq)).success, false);
  await client.terminated();
  assert.equal(process.told.includes('kill'), true);
});

test('what a session of sessions does not know is harmless', async t => {
  const { client } = await launched(t);
  assert.deepEqual((await client.request('threads')).body, { threads: [] });
  await client.request('setBreakpoints', { source: { path: '/a.ts' }, breakpoints: [{ line: 1 }] });
  await client.request('evaluate', { expression: '1', context: 'repl' });
  assert.equal((await client.answered(client.send('breakpod.unknown'))).success, false);
});
