import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pod } from '../../../src/cluster/pods/pod.ts';
import { detect } from '../../../src/cluster/detect/detect.ts';
import type { PodSourceOptions, WatchLimits } from '../../../src/cluster/watch/options.ts';
import { podSource } from '../../../src/cluster/watch/podWatch.ts';
import {
  added,
  annotation,
  bookmark,
  deleted,
  failureStatus,
  line,
  list,
  modified,
  page,
  pod,
  refuse,
  stream,
  thenEnd,
} from './frames.ts';
import { Recorder } from './recorder.ts';
import { type Answer, ScriptedServer } from './server.ts';

const limits: Partial<WatchLimits> = { idleMs: 5_000, answerMs: 2_000, backoff: { firstMs: 10, mostMs: 80 } };

const record = (server: ScriptedServer, options: Partial<PodSourceOptions> = {}) =>
  new Recorder(podSource({ api: server.api, scope: {}, detect, source: 'pods', limits, ...options }));

/** What a server says, and what must come out of it. */
interface Scenario {
  readonly name: string;
  readonly answers: readonly Answer[];
  /** What is said of containers. */
  readonly want: readonly string[];
  /** What the requests must look like, in order. */
  readonly requests?: readonly RegExp[];
  readonly limits?: Partial<WatchLimits>;
  /** States that must have been said. */
  readonly states?: readonly string[];
  readonly failures?: RegExp;
  readonly notices?: RegExp;
}

const [a, b, c] = [pod('a', 1), pod('b', 2), pod('c', 3)];
const plain = pod('plain', 4, { debuggable: false });
const ready = (of: Pod, version: number, restartCount = 0): Pod =>
  pod(of.metadata!.name!, version, {
    status: { restartCount, containerID: `containerd://${of.metadata!.name}-${restartCount}` },
  });
const expired = failureStatus(410, 'too old resource version: 632 (649)', 'Expired');
const streamingList = /sendInitialEvents=true&resourceVersionMatch=NotOlderThan$/;
const firstPage = /^\/api\/v1\/pods\?limit=500$/;

const scenarios: Scenario[] = [
  {
    name: 'a list by watching, then a quiet stream',
    answers: [list(100, [a, plain, b])],
    want: ['= a b'],
    requests: [streamingList],
    states: ['connecting', 'watching'],
  },
  {
    name: 'H01: the only frame is ADDED and runs already',
    answers: [list(100, [], added(a))],
    want: ['=', '+a running'],
  },
  {
    name: 'a normal end goes on from the last version without a word',
    answers: [thenEnd(list(100, [a])), stream(modified(ready(a, 101, 1)))],
    want: ['= a', '+a running'],
    requests: [streamingList, /&resourceVersion=100$/],
    states: ['connecting', 'watching'],
  },
  {
    name: 'the version goes on with events of pods that are not parsed',
    answers: [
      thenEnd(list(100, [a], modified({ ...plain, metadata: { ...plain.metadata, resourceVersion: '108' } }))),
      stream(),
    ],
    want: ['= a'],
    requests: [streamingList, /&resourceVersion=108$/],
  },
  {
    name: 'and with bookmarks',
    answers: [thenEnd(list(100, [a], bookmark(150))), stream()],
    want: ['= a'],
    requests: [streamingList, /&resourceVersion=150$/],
  },
  {
    name: 'a change that does not concern debugging is silent',
    answers: [list(100, [a], modified(pod('a', 101)), deleted(a))],
    want: ['= a', '-a'],
  },
  {
    name: 'H03: a pod that is being deleted',
    answers: [
      list(
        100,
        [a],
        modified({ ...a, metadata: { ...a.metadata, deletionTimestamp: '2026-01-01T00:01:00Z' } }),
        deleted(a),
      ),
    ],
    want: ['= a', '+a terminating', '+a running', '-a'],
  },
  {
    name: 'a reset in the middle of an event',
    answers: [
      response => {
        list(100, [a])(response, undefined!, 0);
        response.write(modified(ready(a, 101, 1)).slice(0, 300), () => setImmediate(() => response.socket?.destroy()));
      },
      stream(modified(ready(a, 101, 1))),
    ],
    want: ['= a', '+a running'],
    states: ['connecting', 'watching', 'retrying', 'watching'],
    failures: /^The connection to API server 127\.0\.0\.1:\d+ failed\./,
  },
  {
    name: 'an end in good order in the middle of an event',
    answers: [thenEnd(list(100, [a], modified(ready(a, 101, 1)).slice(0, 300))), stream(modified(ready(a, 101, 1)))],
    want: ['= a', '+a running'],
    failures: /cut inside an event/,
  },
  {
    name: 'silence: the connection is replaced without a word',
    limits: { idleMs: 60 },
    answers: [list(100, [a]), stream(deleted(a), bookmark(120)), stream()],
    want: ['= a', '-a'],
    requests: [streamingList, /&resourceVersion=100$/],
  },
  {
    name: '410 inside the stream: lists again and tells the difference',
    answers: [list(100, [a, b], line('ERROR', expired)), list(200, [b, c])],
    want: ['= a b', '+c running', '-a'],
    requests: [streamingList, streamingList],
    states: ['connecting', 'watching'],
  },
  {
    name: '410 as HTTP status',
    answers: [thenEnd(list(100, [a])), refuse(410, 'too old resource version', {}, 'Expired'), list(200, [])],
    want: ['= a', '-a'],
    requests: [streamingList, /&resourceVersion=100$/, streamingList],
  },
  {
    name: '410 as an empty answer',
    answers: [thenEnd(list(100, [a])), thenEnd(stream()), list(200, [c])],
    want: ['= a', '+c running', '-a'],
    requests: [streamingList, /&resourceVersion=100$/, streamingList],
  },
  {
    name: 'an outage: three errors in a row, then well',
    answers: [refuse(503, 'x'), refuse(503, 'x'), refuse(500, 'y'), refuse(500, 'y'), list(100, [a])],
    want: ['= a'],
    requests: [streamingList, firstPage, streamingList, firstPage, streamingList],
    states: ['connecting', 'retrying', 'retrying', 'watching'],
    failures: /answers with status 50[03]\. \([xy]\)/,
  },
  {
    name: 'an error inside a stream that was well',
    answers: [list(100, [a], line('ERROR', failureStatus(500, 'etcd is away'))), stream(deleted(a))],
    want: ['= a', '-a'],
    requests: [streamingList, /&resourceVersion=100$/],
    failures: /etcd is away/,
  },
  {
    name: '429 with Retry-After is waited for',
    answers: [refuse(429, 'slow down', { 'retry-after': '1' }), list(100, [a])],
    want: ['= a'],
    requests: [streamingList, streamingList],
    failures: /asks to come back later\. \(slow down\)/,
  },
  {
    name: '401 is tried again and said',
    answers: [refuse(401, 'Unauthorized'), list(100, [a])],
    want: ['= a'],
    states: ['connecting', 'retrying', 'watching'],
    failures: /refuses the login/,
  },
  ...[400, 406, 415, 422, 500].map((code): Scenario => ({
    name: `no streaming lists (${code}): pages, then a watch, for good`,
    answers: [
      refuse(code, 'sendInitialEvents is forbidden'),
      page(50, [a, plain], 'token'),
      page(50, [b]),
      stream(deleted(b), line('ERROR', expired)),
      page(60, [a, c]),
      stream(),
    ],
    want: ['= a b', '-b', '+c running'],
    requests: [
      streamingList,
      firstPage,
      /^\/api\/v1\/pods\?limit=500&continue=token$/,
      /&resourceVersion=50$/,
      firstPage,
      /&resourceVersion=60$/,
    ],
    states: ['connecting', 'watching'],
  })),
  {
    name: 'H63: no streaming lists, as an ERROR event inside a 200',
    answers: [
      thenEnd(stream(line('ERROR', failureStatus(500, 'RequestWatchProgress is disabled', 'InternalError')))),
      page(50, [a]),
      stream(),
    ],
    want: ['= a'],
    requests: [streamingList, firstPage, /&resourceVersion=50$/],
    states: ['connecting', 'watching'],
  },
  {
    name: 'a server that ignores sendInitialEvents',
    limits: { answerMs: 80 },
    answers: [stream(added(a)), page(50, [a]), stream()],
    want: ['= a'],
    requests: [streamingList, firstPage, /&resourceVersion=50$/],
  },
  {
    name: 'a streaming list that ends too early',
    answers: [thenEnd(stream(added(a))), page(50, [b]), stream()],
    want: ['= b'],
  },
  {
    name: 'pages that expire: everything at once',
    answers: [
      refuse(422, 'no'),
      page(50, [a], 'token'),
      refuse(410, 'The provided continue parameter is too old', {}, 'Expired'),
      refuse(422, 'no'),
      page(60, [a, b]),
      stream(),
    ],
    want: ['= a b'],
    requests: [streamingList, firstPage, /continue=token$/, streamingList, /^\/api\/v1\/pods$/, /&resourceVersion=60$/],
  },
  {
    name: 'the debug set-up is taken away from a known pod',
    answers: [list(100, [a], modified(pod('a', 101, { debuggable: false })))],
    want: ['= a', '-a'],
  },
  {
    name: 'and while nobody looked',
    answers: [list(100, [a], line('ERROR', expired)), list(200, [pod('a', 150, { debuggable: false })])],
    want: ['= a', '-a'],
  },
  {
    name: 'a name comes back with another uid (StatefulSet) after a gap',
    answers: [thenEnd(list(100, [a])), stream(added(pod('a', 120, { uid: 'second' })))],
    want: ['= a', '-a', '+a running'],
  },
  {
    name: 'a late DELETED of the pod before does not harm its successor',
    answers: [list(100, [a], added(pod('a', 120, { uid: 'second' })), deleted(a), added(c))],
    want: ['= a', '-a', '+a running', '+c running'],
  },
  {
    name: 'deleted while nobody looked, with other fields in the event',
    answers: [list(100, [a], deleted({ ...a, metadata: { ...a.metadata, annotations: {} }, spec: {}, status: {} }))],
    want: ['= a', '-a'],
  },
  {
    name: 'H07: evicted without statuses',
    answers: [
      list(100, [a], modified({ ...a, status: { phase: 'Failed', reason: 'Evicted', containerStatuses: null } })),
    ],
    want: ['= a', '+a terminated', '-a'],
  },
  {
    name: 'H11: completed pods do not fill the tree, an end that is seen is told',
    answers: [
      list(
        100,
        [...Array.from({ length: 200 }, (_, n) => pod(`job-${n}`, n, { phase: 'Succeeded' })), a],
        modified(pod('a', 300, { phase: 'Succeeded', status: { state: { terminated: { exitCode: 0 } } } })),
        modified(pod('a', 301, { phase: 'Succeeded', status: { state: { terminated: { exitCode: 0 } } } })),
      ),
    ],
    want: ['= a', '+a terminated', '-a'],
  },
  {
    name: 'lines that cannot be read are said and skipped',
    answers: [list(100, [a], '{"type":"MODIFIED","object":{"kin\n', '"nonsense"\n', deleted(a))],
    want: ['= a', '-a'],
    notices: /cannot be read and is skipped: .*MODIFIED/,
  },
  {
    name: 'a page for people in place of the API',
    answers: [thenEnd(stream('<html>Log in</html>\n')), thenEnd(stream('<html>Log in</html>\n')), list(100, [a])],
    want: ['= a'],
    failures: /does not answer with pods/,
  },
];

for (const { name, answers, want, requests = [], limits: own, states, failures, notices } of scenarios)
  test(`pod watch: ${name}`, async () => {
    await using server = await ScriptedServer.start(answers);
    await using recorder = record(server, { limits: { ...limits, ...own } });
    await recorder.until(() => recorder.containers.length >= want.length && server.requests.length >= requests.length);
    await delay(30);
    assert.deepEqual(recorder.containers, want);
    requests.forEach((expected, n) => assert.match(server.requests[n]!, expected));
    if (states) assert.deepEqual(recorder.states, states);
    if (failures) assert.match(recorder.failures.join('\n'), failures);
    if (notices) assert.match(recorder.notices.join('\n'), notices);
    assert.equal(server.mostWatches, 1, 'watches at a time');
  });

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

test('pod watch: 403 stops and names the right', async () => {
  const message = 'pods is forbidden: User "dev" cannot watch resource "pods" in API group "" in the namespace "shop"';
  await using server = await ScriptedServer.start([refuse(403, message, {}, 'Forbidden')]);
  await using recorder = record(server, { scope: { namespace: 'shop' } });
  await recorder.done;
  assert.deepEqual(recorder.states, ['connecting', 'stopped']);
  assert.match(recorder.failures[0]!, /^No right to watch pods in namespace shop\. \(pods is forbidden: User "dev"/);
  assert.equal(server.requests.length, 1);
});

test('pod watch: listing is allowed and watching is not', async () => {
  await using server = await ScriptedServer.start([
    refuse(422, 'no'),
    page(5, [a]),
    refuse(403, 'cannot watch resource "pods"'),
  ]);
  await using recorder = record(server);
  await recorder.done;
  assert.deepEqual(recorder.containers, ['= a']);
  assert.equal(recorder.states.at(-1), 'stopped');
});

test('pod watch: a right that is missing for a moment after a restart does not stop it', async () => {
  await using server = await ScriptedServer.start([
    thenEnd(list(100, [a])),
    refuse(403, 'not yet'),
    refuse(403, 'not yet'),
    list(200, [b]),
  ]);
  await using recorder = record(server);
  await recorder.until(() => recorder.containers.length >= 3);
  assert.deepEqual(recorder.containers, ['= a', '+b running', '-a']);
});

test('pod watch: a right that was taken away stops it', async () => {
  await using server = await ScriptedServer.start([thenEnd(list(100, [a])), refuse(403, 'no more')]);
  await using recorder = record(server);
  await recorder.done;
  assert.equal(recorder.states.at(-1), 'stopped');
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
