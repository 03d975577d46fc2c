import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { status } from '@grpc/grpc-js';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import { followSkaffold } from '../../../src/skaffold/follow.ts';
import { debugging, v1Entry, v2Event } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';
import { deploy, follow, followPort } from './support.ts';

test('a replay is put in order of time, then events come as they come', async t => {
  const { server, told, entries } = await follow(t, {
    replay: [deploy(3, 'third'), deploy(1, 'first'), deploy(2, 'second')],
  });
  await told('third');
  server.v1(deploy(5, 'fifth'), deploy(4, 'fourth'));
  await told('fourth');
  assert.deepEqual(entries(/deploy/), ['first', 'second', 'third', 'fifth', 'fourth']);
});

test('a connection that breaks is made again, and nothing is told twice or lost', async t => {
  const { server, told, entries } = await follow(t, { replay: [deploy(1, 'before')] });
  await told('before');
  server.endStreams(status.UNAVAILABLE);
  server.v1(deploy(2, 'meanwhile'));
  await told('meanwhile');
  assert.equal(server.opened.v1, 2);
  assert.deepEqual(entries(/deploy/), ['before', 'meanwhile']);
  assert.equal(entries(/source/).filter(entry => entry.startsWith('Lost')).length, 1);
});

test('a stream that breaks alone is opened again with the others, and nothing of it is lost', async t => {
  const { server, told, entries } = await follow(t, { replay: [deploy(1, 'before')] });
  await told('before');
  server.endStreams(status.INTERNAL, 'v2');
  server.v2(v2Event(2, { renderEvent: { id: '3', task_id: '', status: 'Succeeded', actionableErr: undefined } }));
  await told('render 3 Succeeded');
  assert.deepEqual(entries(/deploy/), ['before']);
});

test('containers of Skaffold are rows, known to be seen by it alone', async t => {
  const { server, store, told } = await follow(t, { replay: [v1Entry(1, debugging('web-1', 'Started'), 'started')] });
  await told('started');
  const rows = rowsOf(store.state);
  assert.deepEqual(
    rows.map(({ container, seenBy, isAttachable }) => [
      container.pod,
      container.detection.evidence,
      seenBy,
      isAttachable,
    ]),
    [['web-1', 'skaffold', [`skaffold:${server.port}`], false]],
  );
  server.v1(v1Entry(2, debugging('web-1', 'Terminated'), 'terminated'));
  await told('terminated');
  assert.deepEqual(rowsOf(store.state), []);
});

test('a Skaffold without v2 is read by what it has', async t => {
  const { server, told } = await follow(t, { hasNoV2: true, replay: [deploy(1, 'one')] });
  await told('one');
  server.v1(deploy(2, 'two'));
  await told('two');
  assert.equal(server.opened.v2, 0);
});

test('of what both services say one counts, and what only v2 knows is there', async t => {
  const { server, store, told, entries } = await follow(t);
  const { debuggingContainerEvent } = debugging('web-1', 'Started');
  server.v1(v1Entry(1, debugging('web-1', 'Started'), 'started'));
  server.v2(
    v2Event(1, { debuggingContainerEvent: { id: '', task_id: '', ...debuggingContainerEvent! } }),
    v2Event(2, {
      metaEvent: {
        entry: '',
        metadata: {
          ...{ deploy: undefined, test: undefined, render: undefined, runID: 'run-1', additional: {} },
          build: {
            artifacts: [{ type: 7, name: 'shop-web', context: 'web', dockerfile: '' }],
            type: 3,
            additional: {},
          },
        },
      },
    }),
    v2Event(3, { renderEvent: { id: '0', task_id: 'Render-1', status: 'Succeeded', actionableErr: undefined } }),
  );
  await told('render 0 Succeeded');
  assert.deepEqual(entries(/debugging/), ['started']);
  const run = store.state.skaffold.get(`skaffold:${server.port}`);
  assert.deepEqual(run?.ids, ['run-1']);
  assert.deepEqual(run?.artifacts, [{ name: 'shop-web', builder: 'KO', context: 'web' }]);
});

test('an event that is not known, and a number without a name, end nothing', async t => {
  const { server, told } = await follow(t);
  const unknown = 4711 as never;
  server.v1(v1Entry(1, {}, 'newer'));
  server.v1(
    v1Entry(2, { deployEvent: { status: 'Failed', err: '', errCode: unknown, actionableErr: undefined } }, 'odd'),
  );
  const [record] = await told('odd');
  await told('newer');
  assert.equal((record!.body as { errCode: unknown }).errCode, 4711);
});

test('a forward that is announced again says nothing new', async t => {
  const { server, told, entries } = await follow(t);
  const port = {
    ...{
      localPort: 9229,
      remotePort: 9229,
      podName: 'web-1',
      containerName: 'web',
      namespace: 'shop',
      portName: 'devtools',
    },
    ...{
      resourceType: 'pod',
      resourceName: 'web-1',
      address: '127.0.0.1',
      targetPort: { type: 0, intVal: 9229, strVal: '' },
    },
  };
  server.v1(v1Entry(1, { portEvent: port }, 'forward'), v1Entry(2, { portEvent: port }, 'forward'), deploy(3, 'last'));
  await told('last');
  assert.deepEqual(entries(/port/), ['forward']);
});

test('a message larger than what gRPC takes by itself is taken', async t => {
  const { server, told } = await follow(t);
  server.v1(deploy(1, 'x'.repeat(5 << 20)));
  await told(/^x+/);
});

test('a proxy in the environment is not asked for the loopback', async t => {
  process.env['http_proxy'] = 'http://127.0.0.1:9';
  t.after(() => delete process.env['http_proxy']);
  const { told } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
});

const cleaningUp = v2Event(9, {
  skaffoldLogEvent: { task_id: 'DevLoop-1', subtask_id: '-1', level: 7, message: 'Cleaning up...\n' },
});

test('a Skaffold that cleans up and goes was read to its end', async t => {
  const { server, feed, told, log } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  server.v2(
    cleaningUp,
    v2Event(9, { renderEvent: { id: '7', task_id: '', status: 'Succeeded', actionableErr: undefined } }),
  );
  await told('render 7 Succeeded');
  server.v1(deploy(10, 'last words'));
  await told('last words');
  server.kill();
  await feed.done;
  const { kind, body } = log.records.at(-1)!;
  assert.equal(kind, 'drainEvent');
  assert.partialDeepStrictEqual(body, { events: 3, outcome: 'complete' });
});

test('a Skaffold that is killed was perhaps not read to its end', async t => {
  const { server, feed, told, log } = await follow(t, { replay: [deploy(1, 'one')] });
  await told('one');
  server.kill();
  await feed.done;
  assert.partialDeepStrictEqual(log.records.at(-1), {
    kind: 'drainEvent',
    level: 'warn',
    body: { outcome: 'connection-lost' },
  });
});

test('after the stop what still comes is told, until the time is over', async t => {
  const { server, told, log, feed, stop } = await follow(t, { replay: [deploy(1, 'one')] }, { drainMs: 2000 });
  await told('one');
  stop.abort();
  server.v1(deploy(2, 'after the stop'));
  await told('after the stop');
  await feed.done;
  assert.partialDeepStrictEqual(log.records.at(-1), { body: { events: 1, outcome: 'timed-out' } });
});

test('after the stop streams that end well are the end', async t => {
  const { server, told, log, feed, stop } = await follow(t, { replay: [deploy(1, 'one')] }, { drainMs: 600_000 });
  await told('one');
  stop.abort();
  server.v1(deploy(2, 'after the stop'));
  server.endStreams();
  await feed.done;
  assert.partialDeepStrictEqual(log.records.at(-1), { body: { events: 1, outcome: 'complete' } });
});

test('a port that speaks HTTP, as --rpc-http-port of Skaffold does, is said', async t => {
  const http = createServer((_, response) => response.end('{}'));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  t.after(() => http.close());
  const { feed, log } = followPort(t, (http.address() as AddressInfo).port);
  await feed.done;
  assert.match(log.records.at(-1)!.entry, /is not Skaffold.*does not speak gRPC.*--rpc-port \(not --rpc-http-port\)/);
});

test('a port where nobody answers, and one where somebody else does, are said', async t => {
  const other = await follow(t, { hasNoV1: true, hasNoV2: true });
  await other.feed.done;
  assert.match(other.log.records.at(-1)!.entry, /is not Skaffold.*--rpc-port \(not --rpc-http-port\)/);
  const { server } = other;
  server.kill();
  const log = new EventLog(() => new Date());
  const source = followSkaffold({ port: server.port, stop: new AbortController().signal, drainMs: 0, patienceMs: 300 });
  await new Feed(source, new Store(log), error => assert.fail(String(error))).done;
  assert.match(log.records.at(-1)!.entry, /No Skaffold answers at port \d+\. Start it with/);
});

test('twenty thousand events are all told, in order', async t => {
  const count = 20_000;
  const { server, store, log } = await follow(t);
  let last = 0;
  log.onDidAppend(({ entry }) => {
    if (!entry.startsWith('no. ')) return;
    assert.equal(entry, `no. ${last + 1}`);
    last++;
  });
  await eventually('the connection', () => (server.opened.v1 > 0 ? true : undefined));
  for (let n = 1; n <= count; n++) server.v1(deploy(n, `no. ${n}`));
  await eventually('the last one', () => (last === count ? true : undefined));
  assert.ok(store.state.skaffold.size > 0);
});
