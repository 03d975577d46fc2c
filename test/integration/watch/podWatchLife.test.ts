import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { detect } from '../../../src/cluster/detect/detect.ts';
import type { WatchLimits } from '../../../src/cluster/watch/options.ts';
import { podSource } from '../../../src/cluster/watch/podWatch.ts';
import { added, annotation, deleted, list, modified, page, pod, ready, refuse, stream, thenEnd } from './frames.ts';
import { limits, record, Recorder } from './recorder.ts';
import { type Answer, ScriptedServer } from './server.ts';

const [a, b] = [pod('a', 1), pod('b', 2)];

test('pod watch: UTF-8 that is split between two pieces', async () => {
  const text = 'é🙂'.repeat(400);
  const whole = Buffer.from(added(pod('a', 101, { env: text })));
  const seen: (string | undefined)[] = [];
  for (const cut of [333, whole.indexOf('é') + 1, whole.indexOf('🙂') + 2, whole.length - 1]) {
    await using server = await ScriptedServer.start([
      response => {
        list(100, [])(response, undefined!, 0);
        response.write(whole.subarray(0, cut), () => setTimeout(() => response.write(whole.subarray(cut)), 10));
      },
    ]);
    await using recorder = record(server, {
      detect: (spec, of) => {
        seen.push(spec.env?.[0]?.value);
        return detect(spec, of);
      },
    });
    await recorder.until(() => recorder.containers.length === 2);
  }
  assert.deepEqual(new Set(seen), new Set([text]));
});

test('pod watch: nothing comes and nothing is asked after a stop, at whatever moment', async () => {
  const moments: {
    name: string;
    answers: Answer[];
    limits?: Partial<WatchLimits>;
    when(r: Recorder, s: ScriptedServer): boolean;
  }[] = [
    { name: 'before the answer', answers: [() => {}], when: (_, s) => s.requests.length === 1 },
    { name: 'inside a streaming list', answers: [stream(added(a))], when: (_, s) => s.requests.length === 1 },
    {
      name: 'inside a page',
      answers: [refuse(422, 'no'), response => response.write('{"metadata":')],
      when: (_, s) => s.requests.length === 2,
    },
    {
      name: 'between events',
      answers: [list(100, [a, b], deleted(a), deleted(b))],
      when: r => r.containers.length === 2,
    },
    {
      name: 'in the wait',
      answers: [refuse(503, 'no')],
      limits: { backoff: { firstMs: 50_000, mostMs: 50_000 } },
      when: r => r.states.includes('retrying'),
    },
  ];
  for (const { name, answers, limits: own, when } of moments) {
    await using server = await ScriptedServer.start(answers);
    const recorder = record(server, { limits: { ...limits, ...own } });
    await recorder.until(() => when(recorder, server));
    const [events, requests] = [recorder.events.length, server.requests.length];
    await recorder.stop();
    await delay(30);
    assert.equal(recorder.events.length, events, `events after a stop ${name}`);
    assert.equal(server.requests.length, requests, `requests after a stop ${name}`);
  }
});

test('pod watch: a consumer that leaves closes the connection', async () => {
  await using server = await ScriptedServer.start([list(100, [a], modified(ready(a, 101, 1)))]);
  const source = podSource({ api: server.api, scope: {}, detect, source: 'pods', limits });
  const control = new AbortController();
  for await (const event of source(control.signal)) if (event.kind === 'snapshot') break;
  await server.untilIdle();
});

for (const [name, answer] of [
  ['closes each watch at once', thenEnd(stream())],
  ['sends one event and closes', thenEnd(stream(modified(a)))],
  [
    'opens and breaks each watch (H04)',
    (response => {
      response.flushHeaders();
      setImmediate(() => response.socket?.destroy());
    }) as Answer,
  ],
  ['says 410 for ever', refuse(410, 'too old', {}, 'Expired')],
  ['says 500 for ever', refuse(500, 'no')],
] as const)
  test(`pod watch: a server that ${name} is asked less and less`, async () => {
    await using server = await ScriptedServer.start([thenEnd(list(100, [a])), answer]);
    await using recorder = record(server, { limits: { ...limits, backoff: { firstMs: 100, mostMs: 60_000 } } });
    await recorder.until(() => recorder.states.filter(state => state === 'retrying').length >= 3);
    assert.ok(server.requests.length <= 10, `${server.requests.length} requests`);
    const waits = recorder.events.flatMap(event =>
      event.kind === 'source' && event.state.kind === 'retrying' ? [event.state.retryMs] : [],
    );
    assert.ok(waits[2]! > waits[0]!, `waits ${waits.join(' ')}`);
    assert.equal(server.mostWatches, 1);
  });

test('pod watch: H04, a watch that breaks is one failure and one new watch', async () => {
  await using server = await ScriptedServer.start([
    thenEnd(list(100, [a])),
    response => {
      response.flushHeaders();
      setImmediate(() => response.socket?.destroy());
    },
    stream(deleted(a)),
  ]);
  await using recorder = record(server);
  await recorder.until(() => recorder.containers.length === 2);
  assert.deepEqual(recorder.states, ['connecting', 'watching', 'retrying', 'watching']);
  assert.equal(server.requests.length, 3);
});

test('pod watch: H05, refused, closed, failing and well in turn', async () => {
  const first = await ScriptedServer.start([list(100, [a])]);
  const api = first.api;
  await using recorder = new Recorder(podSource({ api, scope: {}, detect, source: 'pods', limits }));
  await recorder.until(() => recorder.containers.length === 1);
  await first.close();
  await recorder.until(() => recorder.failures.some(text => text.includes('ECONNREFUSED')));
  const second = await ScriptedServer.start([refuse(500, 'starting')], first.port);
  await recorder.until(() => recorder.failures.some(text => text.includes('starting')));
  await second.close();
  const third = await ScriptedServer.start([thenEnd(stream())], first.port);
  await recorder.until(() => third.requests.length > 2);
  await third.close();
  await using last = await ScriptedServer.start([list(900, [a, b])], first.port);
  await recorder.until(() => recorder.containers.length === 2 && recorder.states.at(-1) === 'watching');
  assert.deepEqual(recorder.containers, ['= a', '+b running']);
  assert.equal(last.mostWatches, 1);
});

test('pod watch: 403 names the right once, and the watch begins when it is given', async () => {
  const message = 'pods is forbidden: User "dev" cannot watch resource "pods" in API group "" in the namespace "shop"';
  const forbidden = refuse(403, message, {}, 'Forbidden');
  await using server = await ScriptedServer.start([forbidden, forbidden, forbidden, list(100, [a])]);
  await using recorder = record(server, { scope: { namespace: 'shop' } });
  await recorder.until(() => recorder.states.at(-1) === 'watching');
  assert.deepEqual(recorder.states, ['connecting', 'stopped', 'watching']);
  assert.match(recorder.failures[0]!, /^No right to watch pods in namespace shop\. \(pods is forbidden: User "dev"/);
  assert.deepEqual(recorder.containers, ['= a']);
});

test('pod watch: listing is allowed and watching is not', async () => {
  await using server = await ScriptedServer.start([
    refuse(422, 'no'),
    page(5, [a]),
    refuse(403, 'cannot watch resource "pods"'),
  ]);
  await using recorder = record(server);
  await recorder.until(() => recorder.states.at(-1) === 'stopped');
  assert.deepEqual(recorder.containers, ['= a']);
});

test('pod watch: a right that is missing for a moment after a restart is not said to be', async () => {
  await using server = await ScriptedServer.start([
    thenEnd(list(100, [a])),
    refuse(403, 'not yet'),
    refuse(403, 'not yet'),
    list(200, [b]),
  ]);
  await using recorder = record(server);
  await recorder.until(() => recorder.containers.length >= 3);
  assert.deepEqual(recorder.containers, ['= a', '+b running', '-a']);
  assert.ok(!recorder.states.includes('stopped'), recorder.states.join(' '));
});

test('pod watch: a right that was taken away and given again', async () => {
  const refused = refuse(403, 'no more');
  const refusals = Array.from({ length: 6 }, () => refused);
  await using server = await ScriptedServer.start([thenEnd(list(100, [a])), ...refusals, list(200, [b])]);
  await using recorder = record(server);
  await recorder.until(() => recorder.containers.length >= 3);
  assert.deepEqual(recorder.containers, ['= a', '+b running', '-a']);
  assert.equal(recorder.states.filter(state => state === 'stopped').length, 1);
});

test('pod watch: namespace and label selector are asked for', async () => {
  await using server = await ScriptedServer.start([list(100, [a])]);
  await using recorder = record(server, { scope: { namespace: 'a b', labelSelector: 'skaffold.dev/run-id=1' } });
  await recorder.until(() => recorder.containers.length === 1);
  assert.match(
    server.requests[0]!,
    /^\/api\/v1\/namespaces\/a%20b\/pods\?watch=true&.*&labelSelector=skaffold\.dev%2Frun-id%3D1$/,
  );
});

test('pod watch: a pod that makes detection throw is said, and the others go on', async () => {
  await using server = await ScriptedServer.start([list(100, [a, b])]);
  await using recorder = record(server, {
    detect: (spec, of) => {
      if (of.metadata?.name === 'a') throw new Error('odd');
      return detect(spec, of);
    },
  });
  await recorder.until(() => recorder.containers.length === 1);
  assert.deepEqual(recorder.containers, ['= b']);
  assert.deepEqual(recorder.notices, ['Pod shop/a cannot be read: odd']);
});

test('pod watch: pods that cannot be debugged are neither parsed nor kept', async () => {
  const foreign = Array.from({ length: 50 }, (_, n) =>
    pod(`f-${n}`, n, { debuggable: false, env: `annotation of ${annotation.slice(0, 5)}` }),
  );
  const parsed: (string | undefined)[] = [];
  await using server = await ScriptedServer.start([
    list(100, [...foreign, a], ...foreign.map(modified), ...foreign.map(deleted), deleted(a)),
  ]);
  await using recorder = record(server, {
    detect: (spec, of) => {
      parsed.push(of.metadata?.name);
      return detect(spec, of);
    },
  });
  await recorder.until(() => recorder.containers.length === 2);
  assert.deepEqual(new Set(parsed), new Set(['a']));
});
