import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Store } from '../../../src/core/store.ts';
import type { HistoryLimits } from '../../../src/service/history.ts';
import type { Container, DebugEvent } from '../../../src/core/model.ts';
import { container, exited } from '../../support/containers.ts';
import { recorded, recordedSource } from '../../support/recordings.ts';
import { eventually } from '../demo/support.ts';
import { entriesOf, type GrpcReader, type HttpReader, numbered, readGrpc, readHttp, serve } from './support.ts';

const isAt = (reader: HttpReader | GrpcReader, last: string) => entriesOf(reader).at(-1) === last || undefined;

test('readers who come at any time get each event once, in order, over both protocols', async t => {
  const { service, notices } = await serve(t);
  const readers: (HttpReader | GrpcReader)[] = [];
  notices(1, 1000);
  for (let round = 0; round < 20; round++) {
    const { grpcPort, httpPort } = service;
    // Not awaited: events come while they connect.
    const coming = [readGrpc(grpcPort), readGrpc(grpcPort, 'eventLog')];
    const http = [readHttp(httpPort), readHttp(httpPort, '/v1/event_log')];
    const first = 1001 + round * 100;
    notices(first, first + 49);
    await delay(round % 3);
    notices(first + 50, first + 99);
    readers.push(...coming, ...(await Promise.all(http)));
  }
  for (const reader of readers) await eventually('the last event', () => isAt(reader, 'event 3000'));
  await service.close();
  const all = numbered(1, 3000);
  for (const reader of readers) assert.deepEqual(entriesOf(reader), all);
  assert.equal(readers.length, 80);
});

test('the first item is a meta event, by which Skaffold begins; times never go back', async t => {
  const { store, service, notices } = await serve(t);
  notices(1, 2);
  store.apply({
    kind: 'skaffold',
    source: 'skaffold:50051',
    facts: [],
    said: {
      kind: 'metaEvent',
      level: 'info',
      body: { entry: 'x' },
      entry: 'Starting Skaffold',
      time: '2020-01-01T00:00:00.5Z',
    },
  });
  notices(3, 3);
  const reader = await readHttp(service.httpPort);
  await eventually('the last', () => isAt(reader, 'event 3'));
  const [meta, ...others] = reader.lines.map(({ result }) => result!);
  const text = 'Breakpod 0.0.1 serves the debug events of the containers that it watches';
  const metadata = { build: null, deploy: null, test: null, additional: { breakpod: '0.0.1' } };
  assert.deepEqual(meta!.event, { metaEvent: { entry: text, metadata } });
  assert.deepEqual(
    others.map(({ event, entry }) => ({ event, entry })),
    ['event 1', 'event 2', 'Starting Skaffold', 'event 3'].map(entry => ({ event: {}, entry })),
  );
  const times = reader.lines.map(({ result }) => Date.parse(result!.timestamp));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

const long = 'x'.repeat(10_000);

for (const [name, open] of [
  ['HTTP', (ports: { httpPort: number }) => readHttp(ports.httpPort)],
  ['gRPC', async (ports: { grpcPort: number }) => readGrpc(ports.grpcPort)],
] as const)
  test(`a reader over ${name} that does not read is cut, hears why, and harms no other`, async t => {
    const { service, store, notices } = await serve(t, { limits: { replayed: 100, kept: 200, bytes: 64 << 20 } });
    notices(1, 1);
    const stalled = await open(service);
    await eventually('its first', () => isAt(stalled, 'event 1'));
    stalled.pause();
    const others = [await readHttp(service.httpPort), readGrpc(service.grpcPort)];
    for (const reader of others) await eventually('the first of another', () => isAt(reader, 'event 1'));
    for (let i = 2; i <= 3000; i++) {
      store.apply({ kind: 'notice', source: 'test', level: 'info', text: `${i} ${long}` });
      if (i % 100 === 0)
        await eventually('the others', () => others.every(one => isAt(one, `${i} ${long}`)) || undefined);
    }
    for (const reader of others) {
      const expected = ['event 1', ...numbered(2, 3000, '').map(text => `${text.trim()} ${long}`)];
      assert.deepEqual(entriesOf(reader), expected);
    }
    stalled.resume();
    const end = await stalled.ended;
    const reason = /too far behind/;
    if ('lines' in stalled) assert.match(stalled.lines.at(-1)?.error?.message ?? JSON.stringify(end), reason);
    else {
      assert.equal((end as { code: number }).code, 8);
      assert.match((end as { details: string }).details, reason);
    }
    // What it has got is still without a gap.
    const got = entriesOf(stalled).filter(Boolean).length;
    assert.ok(got < 2500, `${got} events reached it`);
    await service.close();
  });

const small: HistoryLimits = { replayed: 10, kept: 20, bytes: 1 << 20 };

/** A container that runs, by the name of its pod. */
const running = (pod: string): Container => container({ pod, podUid: pod, containerId: pod });

const startOf = (pod: string) => `Debuggable container started pod/${pod}:web (shop)`;

test('who comes late learns of what still runs, though its start is no longer replayed', async t => {
  const { service, store, notices } = await serve(t, { limits: small });
  const [runs, ends, unwatched] = [running('runs'), running('ends'), running('unwatched')];
  store.apply({ kind: 'snapshot', source: 'pods', containers: [runs, ends] });
  store.apply({ kind: 'snapshot', source: 'pods of another namespace', containers: [unwatched] });
  store.apply({ kind: 'seen', source: 'pods', container: { ...ends, phase: exited(0) } });
  store.apply({ kind: 'source-removed', source: 'pods of another namespace' });
  notices(1, 100);
  for (const reader of [await readHttp(service.httpPort), readGrpc(service.grpcPort)]) {
    await eventually('the last', () => isAt(reader, 'event 100'));
    assert.deepEqual(entriesOf(reader), [startOf('runs'), ...numbered(91, 100)]);
  }
  store.apply({ kind: 'seen', source: 'pods', container: running('new') });
  const reader = await readHttp(service.httpPort);
  await eventually('the start', () => isAt(reader, startOf('new')));
  assert.deepEqual(entriesOf(reader), [startOf('runs'), ...numbered(92, 100), startOf('new')]);
});

test('a container that Skaffold reported first, and the watch has seen since, is told to those who come late', async t => {
  const { service, store, notices } = await serve(t, { limits: small });
  const reported = recorded('same-name-pod').find(event => JSON.stringify(event).includes('debuggingContainerEvent'))!;
  store.apply(reported);
  const { podName, containerName, namespace } = bodyOf(reported);
  const seen = container({ pod: podName, podUid: 'uid', container: containerName, namespace, containerId: 'a' });
  store.apply({ kind: 'seen', source: 'pods', container: seen });
  store.apply({ kind: 'drained', source: recordedSource, drain: { events: 0, ms: 0, outcome: 'complete' } });
  notices(1, 100);
  const reader = await readHttp(service.httpPort);
  await eventually('the last', () => isAt(reader, 'event 100'));
  const start = `Debuggable container started pod/${podName}:${containerName} (${namespace})`;
  assert.deepEqual(entriesOf(reader), [start, ...numbered(91, 100)]);
});

const bodyOf = (event: DebugEvent) =>
  (event as unknown as { said: { body: Record<'podName' | 'containerName' | 'namespace', string> } }).said.body;

test('many that run are told in pieces, and to many readers', async t => {
  const { service, store, notices } = await serve(t, { limits: small });
  const names = Array.from({ length: 500 }, (_, n) => `web-${n}`);
  store.apply({ kind: 'snapshot', source: 'pods', containers: names.map(running) });
  notices(1, 20);
  const readers = [readGrpc(service.grpcPort), await readHttp(service.httpPort), await readHttp(service.httpPort)];
  for (const reader of readers) {
    await eventually('the last', () => isAt(reader, 'event 20'));
    assert.deepEqual(entriesOf(reader), [...names.map(startOf), ...numbered(11, 20)]);
  }
});

test('a start that the log no longer has is told to readers too', async t => {
  const log = new EventLog(() => new Date(), 5);
  const store = new Store(log);
  store.apply({ kind: 'snapshot', source: 'pods', containers: [container({ pod: 'web-1' })] });
  for (const entry of numbered(1, 20)) store.apply({ kind: 'notice', source: 'test', level: 'info', text: entry });
  const { service } = await serve(t, { log, store });
  const reader = await readHttp(service.httpPort);
  await eventually('the last', () => isAt(reader, 'event 20'));
  assert.deepEqual(entriesOf(reader), ['Debuggable container started pod/web-1:web (shop)', ...numbered(16, 20)]);
});
