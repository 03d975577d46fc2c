import assert from 'node:assert/strict';
import test from 'node:test';
import type { DebugEvent } from '../../../src/core/model.ts';
import type { DebuggingContainerBody } from '../../../src/core/logRecord.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Store } from '../../../src/core/store.ts';
import { container, exited, waiting } from '../../support/containers.ts';

const source = 'pods';
const seen = (...parts: Parameters<typeof container>): DebugEvent => ({
  kind: 'seen',
  source,
  container: container(...parts),
});
const list = (...parts: Parameters<typeof container>[]): DebugEvent => ({
  kind: 'snapshot',
  source,
  containers: parts.map(p => container(...p)),
});
const gone = (...parts: Parameters<typeof container>): DebugEvent => ({
  kind: 'gone',
  source,
  slot: container(...parts).slot,
});
const removed: DebugEvent = { kind: 'source-removed', source };
const last = (containerId: string) => ({ containerId, exitCode: 1, reason: 'Error' });

/** Which runs the log has as started (+) and terminated (-), by container name. */
const cases: { name: string; given: DebugEvent[]; want: string[] }[] = [
  { name: 'H01: the first report says running', given: [seen({ containerId: 'c1' })], want: ['+web'] },
  { name: 'a list counts like a report', given: [list([{ containerId: 'c1' }])], want: ['+web'] },
  {
    name: 'repeated reports say nothing',
    given: [seen({ containerId: 'c1' }), seen({ containerId: 'c1' })],
    want: ['+web'],
  },
  {
    name: 'H02: a falling restart count is no new run',
    given: [2, 3, 2].map((restarts, i) => seen({ restarts, containerId: ['c3', 'c4', 'c4'][i]! })),
    want: ['+web', '-web', '+web'],
  },
  {
    name: 'H03: terminating is not terminated, gone is',
    given: [seen({ containerId: 'c1' }), seen({ containerId: 'c1', phase: { kind: 'terminating' } }), gone()],
    want: ['+web', '-web'],
  },
  {
    name: 'in-place restart seen as running to running',
    given: [seen({ containerId: 'c1' }), seen({ containerId: 'c2', restarts: 1, last: last('c1') })],
    want: ['+web', '-web', '+web'],
  },
  {
    name: 'in-place restart seen through terminated and waiting',
    given: [
      seen({ containerId: 'c1' }),
      seen({ containerId: 'c1', phase: exited(1) }),
      seen({ containerId: 'c1', phase: waiting('CrashLoopBackOff'), last: last('c1') }),
      seen({ containerId: 'c2', restarts: 1, last: last('c1') }),
    ],
    want: ['+web', '-web', '+web'],
  },
  {
    name: 'running to waiting ends the run',
    given: [
      seen({ containerId: 'c1' }),
      seen({ containerId: 'c1', phase: waiting('CrashLoopBackOff'), last: last('c1') }),
    ],
    want: ['+web', '-web'],
  },
  {
    name: 'a run between two reports is not lost',
    given: [seen({ containerId: 'c1' }), seen({ containerId: 'c3', restarts: 2, last: last('c2') })],
    want: ['+web', '-web', '+web', '-web', '+web'],
  },
  {
    name: 'a Job that ran between two reports',
    given: [seen({ phase: waiting('ContainerCreating') }), seen({ containerId: 'c1', phase: exited(0, 'Completed') })],
    want: ['+web', '-web'],
  },
  {
    name: 'runs that were over before anybody looked are no news',
    given: [
      list([{ containerId: 'c9', phase: exited(0, 'Completed') }]),
      list([{ containerId: 'c9', phase: exited(0, 'Completed') }]),
    ],
    want: [],
  },
  {
    name: 'the last run before the first look is no news, also later',
    given: [
      list([{ containerId: 'c2', last: last('c1') }]),
      seen({ containerId: 'c2', last: last('c1'), ready: false }),
    ],
    want: ['+web'],
  },
  {
    name: 'a crash loop: each run once',
    given: [1, 2, 3].flatMap(n => [
      seen({ containerId: `c${n}`, restarts: n, ...(n > 1 ? { last: last(`c${n - 1}`) } : {}) }),
      seen({ containerId: `c${n}`, restarts: n, phase: exited(1) }),
      seen({ containerId: `c${n}`, restarts: n, phase: waiting('CrashLoopBackOff'), last: last(`c${n}`) }),
    ]),
    want: ['+web', '-web', '+web', '-web', '+web', '-web'],
  },
  {
    name: 'a crash loop: the end of the run, told again with the run before it, says nothing',
    given: [
      seen({ containerId: 'c1' }),
      seen({ containerId: 'c2', restarts: 1, last: last('c1') }),
      seen({ containerId: 'c2', restarts: 1, phase: exited(1), last: last('c1') }),
      seen({ containerId: 'c2', restarts: 1, phase: exited(1), last: last('c1'), ready: false }),
      removed,
      list([{ containerId: 'c2', restarts: 1, phase: exited(1), last: last('c1') }]),
    ],
    want: ['+web', '-web', '+web', '-web'],
  },
  {
    name: 'same name, another pod: both are told apart',
    given: [
      seen({ podUid: 'u1', containerId: 'c1' }),
      seen({ podUid: 'u2', containerId: 'c2' }),
      gone({ podUid: 'u1' }),
    ],
    want: ['+web', '+web', '-web'],
  },
  {
    name: 'what a list no longer has, has ended',
    given: [seen({ containerId: 'c1' }), list([{ podUid: 'u2', containerId: 'c2' }])],
    want: ['+web', '-web', '+web'],
  },
  {
    name: 'a list again changes nothing',
    given: [list([{ containerId: 'c1' }]), list([{ containerId: 'c1' }])],
    want: ['+web'],
  },
  {
    name: 'looking away and again repeats nothing',
    given: [list([{ containerId: 'c1' }]), removed, list([{ containerId: 'c1' }])],
    want: ['+web'],
  },
  {
    name: 'what ended while nobody looked is told at the next look',
    given: [list([{ containerId: 'c1' }]), removed, list([{ containerId: 'c2', last: last('c1') }])],
    want: ['+web', '-web', '+web'],
  },
  {
    name: 'pods that went while nobody looked',
    given: [list([{ containerId: 'c1' }]), removed, list()],
    want: ['+web', '-web'],
  },
  { name: 'gone without ever running', given: [seen({ phase: waiting('ImagePullBackOff') }), gone()], want: [] },
  { name: 'gone for an unknown slot', given: [gone()], want: [] },
  {
    name: 'another source takes nothing back',
    given: [seen({ containerId: 'c1' }), { kind: 'gone', source: 'other', slot: container().slot }],
    want: ['+web'],
  },
  {
    name: 'not debuggable: no event',
    given: [seen({ containerId: 'c1', detection: { verdict: 'not-debuggable' } })],
    want: [],
  },
  {
    name: 'container ID learnt late is the same run',
    given: [seen({ startedAt: '09:00' }), seen({ startedAt: '09:00', containerId: 'c1' })],
    want: ['+web'],
  },
];

for (const { name, given, want } of cases)
  test(`lives: ${name}`, () => {
    const log = new EventLog(() => new Date(0));
    const store = new Store(log);
    for (const event of given) store.apply(event);
    const said = log.records
      .filter(r => r.kind === 'debuggingContainerEvent')
      .map(r => r.body as DebuggingContainerBody)
      .map(b => `${b.status === 'Started' ? '+' : '-'}${b.containerName}`);
    assert.deepEqual(said, want);
  });

test('log: Skaffold’s body and wording', () => {
  const log = new EventLog(() => new Date(1_700_000_000_000));
  new Store(log).apply(seen({ containerId: 'c1', detection: { artifact: 'web', workingDir: '/app' } }));
  assert.deepEqual(log.records[0], {
    number: 1,
    time: '2023-11-14T22:13:20.000Z',
    kind: 'debuggingContainerEvent',
    source: 'pods',
    level: 'info',
    entry: 'Debuggable container started pod/web-7d9c-x1:web (shop)',
    body: {
      status: 'Started',
      podName: 'web-7d9c-x1',
      containerName: 'web',
      namespace: 'shop',
      artifact: 'web',
      runtime: 'nodejs',
      workingDir: '/app',
      debugPorts: { devtools: 9229 },
    },
  });
});

test('log: bounded, in order, numbers without a gap', () => {
  const log = new EventLog(() => new Date(0), 3);
  const heard: number[] = [];
  log.onDidAppend(r => heard.push(r.number));
  for (let i = 0; i < 10; i++) log.append({ kind: 'noticeEvent', source: 's', level: 'info', body: {}, entry: `${i}` });
  assert.deepEqual(
    log.records.map(r => r.entry),
    ['7', '8', '9'],
  );
  assert.deepEqual(heard, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
