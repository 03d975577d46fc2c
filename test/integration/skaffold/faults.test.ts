import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test, { type TestContext } from 'node:test';
import { status } from '@grpc/grpc-js';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { LogEntry } from '../../../src/proto/gen/v1.ts';
import { debugging, startSkaffoldServer, v1Entry, v2Event } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';
import { deploy, follow, followPort } from './support.ts';

const line = (second: number, task_id: string, message: string) =>
  v2Event(second, { skaffoldLogEvent: { task_id, subtask_id: '-1', level: 7, message } });
const loop = (second: number, iteration: number, statusText: string) =>
  v1Entry(second, { devLoopEvent: { iteration, status: statusText, err: undefined } }, `loop ${statusText}`);
const rendered = v2Event(40, {
  renderEvent: { id: 'last', task_id: '', status: 'Succeeded', actionableErr: undefined },
});

const ends: {
  name: string;
  says: (server: Awaited<ReturnType<typeof startSkaffoldServer>>) => void;
  outcome: 'complete' | 'connection-lost';
}[] = [
  {
    name: 'cleans up in a terminal with colours',
    says: server => server.v2(line(3, 'DevLoop-1', '\u001b[34mCleaning up...\u001b[0m\n')),
    outcome: 'complete',
  },
  {
    name: 'prunes images, and has nothing to clean up',
    says: server => server.v2(line(3, 'DevLoop-1', 'Pruning images...\n')),
    outcome: 'complete',
  },
  {
    name: 'has a build script that cleans up',
    says: server => server.v2(line(3, 'Build-1', 'Cleaning up...\n'), line(4, 'DevLoop-1', 'Cleaning up the rest')),
    outcome: 'connection-lost',
  },
  { name: 'fails at first', says: server => server.v1(loop(3, 0, 'Failed')), outcome: 'complete' },
  {
    name: 'fails at first and goes on',
    says: server => server.v1(loop(3, 0, 'Failed'), loop(4, 1, 'In Progress')),
    outcome: 'connection-lost',
  },
];

for (const { name, says, outcome } of ends)
  test(`the end of a Skaffold that ${name}, and is gone: ${outcome}`, async t => {
    const { server, told, feed, log } = await follow(t, { replay: [deploy(1, 'one')] });
    await told('one');
    says(server);
    server.v2(rendered);
    server.v1(deploy(40, 'last'));
    await told('render last Succeeded');
    await told('last');
    server.kill();
    await feed.done;
    assert.partialDeepStrictEqual(log.records.at(-1), { kind: 'drainEvent', body: { outcome } });
  });

test('an event that cannot be read is said, and its stream goes on', async t => {
  const { server, told } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  server.v1(Buffer.from([0x0a, 0x7f, 0x01])); // longer than it is
  const [record] = await told(/^Skaffold sent an event that cannot be read: /);
  assert.equal(record!.kind, 'unknownEvent');
  server.v1(deploy(2, 'two'));
  await told('two');
  assert.equal(server.opened.v1, 1);
});

test('text that is no UTF-8, and names that mean something elsewhere, are text', async t => {
  const { server, told, store } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  const bytes = Buffer.from(LogEntry.encode(v1Entry(2, debugging('web-XX', 'Started'), 'bad text')).finish());
  bytes.set([0xff, 0xfe], bytes.indexOf('XX'));
  server.v1(bytes);
  await told('bad text');
  const pod = '__proto__';
  const { debuggingContainerEvent } = debugging(pod, 'Started');
  const debugPorts = Object.fromEntries([['constructor', 5005]]);
  server.v1(
    v1Entry(
      3,
      { debuggingContainerEvent: { ...debuggingContainerEvent!, debugPorts } },
      '\u001b]8;;http://evil\u0007[x](command:y)\n\u202e',
    ),
  );
  await told('[x](command:y) ⏎ \ufffd');
  const pods = rowsOf(store.state).map(({ container }) => [container.pod, container.detection.ports]);
  assert.deepEqual(pods, [
    [pod, { constructor: 5005 }],
    ['web-\ufffd\ufffd', { devtools: 9229 }],
  ]);
});

test('the ports of a container in another order are the same event', async t => {
  const { debuggingContainerEvent } = debugging('web-1', 'Started');
  const withPorts = (ports: [string, number][]) =>
    Buffer.from(
      LogEntry.encode(
        v1Entry(
          1,
          { debuggingContainerEvent: { ...debuggingContainerEvent!, debugPorts: Object.fromEntries(ports) } },
          'started',
        ),
      ).finish(),
    );
  const first = withPorts([
    ['jdwp', 5005],
    ['devtools', 9229],
  ]);
  const { server, told, entries } = await follow(t);
  server.v1(first);
  await told('started');
  first.set(
    withPorts([
      ['devtools', 9229],
      ['jdwp', 5005],
    ]),
  );
  server.endStreams(status.UNAVAILABLE);
  server.v1(deploy(2, 'after'));
  await told('after');
  assert.equal(server.opened.v1, 2);
  assert.deepEqual(entries(/debugging/), ['started']);
});

test('three equal looking changes of one moment count three times', async t => {
  const { server, told, store, entries } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  const [started, terminated] = (['Started', 'Terminated'] as const).map(text =>
    v1Entry(2, debugging('a', text), text),
  );
  server.v1(started!, terminated!, started!, deploy(3, 'last'));
  await told('last');
  assert.deepEqual(entries(/debugging/), ['Started', 'Terminated', 'Started']);
  assert.equal(rowsOf(store.state).length, 1);
});

test('a clock that goes back hides nothing, and after a reconnection nothing is told twice', async t => {
  const { server, told, entries } = await follow(t, { replay: [deploy(3000, 'one')] });
  await told('one');
  server.v1(deploy(1, 'an hour before'));
  await told('an hour before');
  server.endStreams(status.UNAVAILABLE);
  server.v1(deploy(2, 'and on'));
  await told('and on');
  assert.deepEqual(entries(/deploy/), ['one', 'an hour before', 'and on']);
});

test('another Skaffold at the same port: what the first one said holds no more', async t => {
  const meta = (second: number) =>
    v1Entry(second, { metaEvent: { entry: `Starting Skaffold: &{Version:v2.${second} }`, metadata: undefined } });
  const first = await startSkaffoldServer({ replay: [meta(1), v1Entry(2, debugging('old', 'Started'), 'old')] });
  t.after(() => first.kill());
  const { told, store, feed, log } = followPort(t, first.port);
  await told('old');
  first.v2(line(3, 'DevLoop-1', 'Cleaning up...\n'), rendered);
  await told('render last Succeeded');
  first.kill();
  const second = await startSkaffoldServer({
    port: first.port,
    replay: [meta(11), v1Entry(12, debugging('new', 'Started'), 'new')],
  });
  t.after(() => second.kill());
  await told('new');
  assert.deepEqual(
    rowsOf(store.state).map(({ container }) => container.pod),
    ['new'],
  );
  assert.equal(store.state.skaffold.get(`skaffold:${first.port}`)?.version, 'v2.11');
  second.kill();
  await feed.done;
  assert.partialDeepStrictEqual(log.records.at(-1), { body: { events: 0, outcome: 'connection-lost' } });
});

test('a stream that breaks while another one replays does not cut the replay', async t => {
  const replay = Array.from({ length: 30 }, (_, n) => deploy(n, `no. ${n}`));
  const { server, told } = await follow(t, { replay, replayPauseMs: 50 });
  await eventually('the streams', () => (server.opened.v2 > 0 ? true : undefined));
  server.endStreams(status.INTERNAL, 'v2');
  await eventually('the reconnection', () => (server.opened.v2 === 2 ? true : undefined));
  await told('no. 29');
  assert.equal(server.cutInReplay, 0);
});

test('streams that end at once are opened less and less often', async t => {
  const { server, log } = await follow(t);
  const failing = setInterval(() => server.endStreams(status.UNAUTHENTICATED), 10);
  t.after(() => clearInterval(failing));
  const waits = await eventually('four tries', () => {
    const found = log.records.flatMap(({ body }) => ('state' in body ? [body.state as { retryMs?: number }] : []));
    const all = found.flatMap(({ retryMs }) => retryMs ?? []);
    return all.length >= 4 ? all : undefined;
  });
  assert.ok(waits[3]! > waits[0]! && waits[3]! >= 800, String(waits));
});

test('after GOAWAY the streams are read on, to the end', async t => {
  const { server, told, feed, log } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  server.goAway();
  server.v2(line(2, 'DevLoop-1', 'Cleaning up...\n'), rendered);
  await told('render last Succeeded');
  server.v1(deploy(3, 'two'));
  await told('two');
  server.kill();
  await feed.done;
  assert.partialDeepStrictEqual(log.records.at(-1), { body: { events: 3, outcome: 'complete' } });
});

test('the stop while a connection is made again still tells how the drain went', async t => {
  const { server, told, end } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  server.endStreams(status.UNAVAILABLE);
  await told(/^Lost/);
  assert.partialDeepStrictEqual(await end(), { kind: 'drainEvent', body: { outcome: 'connection-lost' } });
});

/** A Skaffold in a process of its own, which never stops saying something. */
async function flood(t: TestContext) {
  const program = `
    import { startSkaffoldServer, v1Entry } from ${JSON.stringify(inRoot('test/support/skaffoldServer.ts'))};
    const server = await startSkaffoldServer();
    console.log(server.port);
    const event = { deployEvent: { status: 'In Progress', err: 'x'.repeat(1000), errCode: 0, actionableErr: undefined } };
    for (let n = 0; ; n++) {
      if (server.opened.v1 > 0) server.v1(v1Entry(n, event, 'no. ' + n));
      if (n % 100 === 0) await new Promise(resolve => setTimeout(resolve, 1));
    }`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, port: Number(port) };
}

test('a Skaffold that is killed in the middle of a flood: all before the cut is told, in order', async t => {
  const { child, port } = await flood(t);
  const { told, feed, log, entries } = followPort(t, port);
  await told(/^no\. \d+$/, 2000);
  child.kill('SIGKILL');
  await feed.done;
  const numbers = entries(/deploy/).map(entry => Number(entry.slice(4)));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => numbers[0]! + index),
  );
  assert.partialDeepStrictEqual(log.records.at(-1), { body: { outcome: 'connection-lost' } });
});

test('a Skaffold that stands still is left when the time is over', async t => {
  const { child, port } = await flood(t);
  const { told, end } = followPort(t, port);
  await told(/^no\. \d+$/, 1000);
  child.kill('SIGSTOP');
  assert.partialDeepStrictEqual(await end(), { kind: 'drainEvent', body: { outcome: 'timed-out' } });
});
