import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { WatchLimits } from '../../../src/cluster/watch/options.ts';
import {
  added,
  bookmark,
  deleted,
  failureStatus,
  line,
  list,
  modified,
  page,
  pod,
  ready,
  refuse,
  stream,
  thenEnd,
} from './frames.ts';
import { limits, record } from './recorder.ts';
import { type Answer, ScriptedServer } from './server.ts';

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
    failures: /^The API server http:\/\/127\.0\.0\.1:\d+ cannot be reached\. \(aborted\)/,
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
    failures: /refuses a request \(HTTP 50[03]\)\. \([xy]\)/,
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
    failures: /refuses a request \(HTTP 429\)\. \(slow down\)/,
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
