import assert from 'node:assert/strict';
import test from 'node:test';
import type { SkaffoldFact } from '../../../src/core/skaffold.ts';
import type { SkaffoldEvent } from '../../../src/skaffold/event.ts';
import { factsOf } from '../../../src/skaffold/facts.ts';
import { byTime, Seen, Waiting } from '../../../src/skaffold/order.ts';
import { tellingOf } from '../../../src/skaffold/telling.ts';

const event = (parts: Partial<SkaffoldEvent> & Pick<SkaffoldEvent, 'kind'>): SkaffoldEvent => ({
  api: 'v1',
  time: '2026-11-30T21:00:00.000000000Z',
  body: {},
  entry: '',
  ...parts,
});

const place = { namespace: 'shop', podName: 'web-1', containerName: 'web' };
const reported = {
  namespace: 'shop',
  pod: 'web-1',
  container: 'web',
  artifact: '',
  runtime: '',
  workingDir: '',
  ports: {},
};

const facts: { name: string; of: SkaffoldEvent; facts: readonly SkaffoldFact[] }[] = [
  {
    name: 'the run, its version and its artifacts',
    of: event({
      api: 'v2',
      kind: 'metaEvent',
      body: {
        entry: 'Starting Skaffold: &{Version:v2.24.0 ConfigVersion:skaffold/v4beta14}',
        metadata: { runID: 'r1', build: { artifacts: [{ type: 'KO', name: 'stock', context: 'go' }] } },
      },
    }),
    facts: [
      { kind: 'run', id: 'r1', version: 'v2.24.0', artifacts: [{ name: 'stock', builder: 'KO', context: 'go' }] },
    ],
  },
  {
    name: 'a container, and of its ports those that are ports',
    of: event({
      kind: 'debuggingContainerEvent',
      body: {
        ...place,
        status: 'Started',
        runtime: 'jvm',
        debugPorts: { jdwp: 5005, zero: 0, far: 70_000, text: '1' },
      },
    }),
    facts: [{ kind: 'debugging', status: 'Started', reported: { ...reported, runtime: 'jvm', ports: { jdwp: 5005 } } }],
  },
  {
    name: 'a container of a status that nobody knows',
    of: event({ kind: 'debuggingContainerEvent', body: { ...place, status: 'Frozen' } }),
    facts: [],
  },
  {
    name: 'a forward, whose port is a number or a name',
    of: event({
      kind: 'portEvent',
      body: {
        ...place,
        localPort: 5006,
        remotePort: 5005,
        resourceType: 'pod',
        resourceName: 'web-1',
        targetPort: { type: 1 },
      },
    }),
    facts: [
      {
        kind: 'port',
        port: {
          localPort: 5006,
          remotePort: 5005,
          namespace: 'shop',
          pod: 'web-1',
          container: 'web',
          resource: 'pod/web-1',
        },
      },
    ],
  },
  {
    name: 'a failed build with its advice',
    of: event({
      kind: 'buildEvent',
      body: {
        ...{ artifact: 'orders', status: 'Failed' },
        actionableErr: { errCode: 'BUILD_USER_ERROR', message: 'no', suggestions: [{ action: 'look' }] },
      },
    }),
    facts: [
      {
        kind: 'progress',
        progress: {
          ...{ task: 'Build', subject: 'orders', status: 'failed' as const },
          problem: { code: 'BUILD_USER_ERROR', message: 'no', suggestions: ['look'] },
        },
      },
    ],
  },
  {
    name: 'a cache miss, which is no failure',
    of: event({ api: 'v2', kind: 'buildSubtaskEvent', body: { artifact: 'a', step: 'Cache', status: 'Failed' } }),
    facts: [],
  },
  {
    name: 'a task of v2',
    of: event({ api: 'v2', kind: 'taskEvent', body: { task: 'Deploy', status: 'InProgress' } }),
    facts: [{ kind: 'progress', progress: { task: 'Deploy', subject: '', status: 'running' } }],
  },
  {
    name: 'a resource that is checked',
    of: event({ kind: 'resourceStatusCheckEvent', body: { resource: 'deployment/web', status: 'Succeeded' } }),
    facts: [{ kind: 'progress', progress: { task: 'StatusCheck', subject: 'deployment/web', status: 'succeeded' } }],
  },
  {
    name: 'the end of a run that could not be',
    of: event({ kind: 'terminationEvent', body: { status: 'Failed', err: { errCode: 'X', message: 'no helm' } } }),
    facts: [{ kind: 'termination', problem: { code: 'X', message: 'no helm', suggestions: [] } }],
  },
  {
    name: 'an image that is not set up, with colours',
    of: event({
      api: 'v2',
      kind: 'skaffoldLogEvent',
      body: { message: '\u001b[33mImage "r/web:1" not configured for debugging: no runtime\u001b[0m\n' },
    }),
    facts: [{ kind: 'not-configured', image: 'r/web:1', reason: 'no runtime' }],
  },
  {
    name: 'the clean-up, which is the beginning of the end',
    of: event({
      api: 'v2',
      kind: 'skaffoldLogEvent',
      body: { task_id: 'DevLoop-2', message: 'Cleaning up...\n' },
    }),
    facts: [{ kind: 'ending' }],
  },
  {
    name: 'a line of a build that only looks like it',
    of: event({ api: 'v2', kind: 'skaffoldLogEvent', body: { task_id: 'Build-2', message: 'Cleaning up...\n' } }),
    facts: [],
  },
  {
    name: 'fields of other kinds than they should be',
    of: event({ kind: 'buildEvent', body: { artifact: 7, status: [] } }),
    facts: [],
  },
  { name: 'an event that is called like a property of objects', of: event({ kind: 'constructor' }), facts: [] },
];

for (const { name, of, facts: expected } of facts)
  test(`what an event means: ${name}`, () => assert.deepEqual(factsOf(of), expected));

const tellings: { name: string; of: SkaffoldEvent; hasV1: boolean; said: string | undefined; facts: number }[] = [
  {
    name: 'a container, v1',
    of: event({ kind: 'debuggingContainerEvent', body: { ...place, status: 'Started' } }),
    hasV1: true,
    said: 'Debuggable container started pod/web-1:web (shop)',
    facts: 1,
  },
  {
    name: 'a container, v2 beside v1',
    of: event({ api: 'v2', kind: 'debuggingContainerEvent', body: { ...place, status: 'Started' } }),
    hasV1: true,
    said: undefined,
    facts: 0,
  },
  {
    name: 'a container, v2 alone',
    of: event({ api: 'v2', kind: 'debuggingContainerEvent', body: { ...place, status: 'Started' } }),
    hasV1: false,
    said: 'Debuggable container started pod/web-1:web (shop)',
    facts: 1,
  },
  {
    name: 'a task beside v1 counts and is not told',
    of: event({ api: 'v2', kind: 'taskEvent', body: { task: 'Build', status: 'InProgress' } }),
    hasV1: true,
    said: undefined,
    facts: 1,
  },
  {
    name: 'an iteration beside v1, which has it too',
    of: event({ api: 'v2', kind: 'taskEvent', body: { task: 'DevLoop', status: 'InProgress' } }),
    hasV1: true,
    said: undefined,
    facts: 0,
  },
  {
    name: 'a line of a log that means something is not told',
    of: event({ api: 'v2', kind: 'skaffoldLogEvent', body: { task_id: 'DevLoop-1', message: 'Cleaning up...' } }),
    hasV1: true,
    said: undefined,
    facts: 1,
  },
  {
    name: 'what only v2 has',
    of: event({ api: 'v2', kind: 'renderEvent', body: { id: '0', status: 'Succeeded' } }),
    hasV1: true,
    said: 'render 0 Succeeded',
    facts: 0,
  },
  {
    name: 'a line of a log',
    of: event({ api: 'v2', kind: 'skaffoldLogEvent', body: { message: 'x' } }),
    hasV1: true,
    said: undefined,
    facts: 0,
  },
  {
    name: 'an unknown event',
    of: event({ kind: '' }),
    hasV1: true,
    said: 'Skaffold sent an event that is newer than this version of Breakpod',
    facts: 0,
  },
  {
    name: 'a line with escape sequences',
    of: event({ kind: 'deployEvent', entry: 'Deploy \u001b[31mfailed\nnow' }),
    hasV1: true,
    said: 'Deploy failed ⏎ now',
    facts: 0,
  },
];

for (const { name, of, hasV1, said, facts: count } of tellings)
  test(`what the log says of an event: ${name}`, () => {
    const telling = tellingOf(of, 's', { hasV1 });
    const skaffold = telling?.kind === 'skaffold' ? telling : undefined;
    assert.equal(skaffold?.said?.entry, said);
    assert.equal(skaffold?.facts.length ?? 0, count);
  });

const second = (n: number) => `2026-11-30T21:00:${String(n).padStart(2, '0')}.000000000Z`;

test('a replay repeats nothing, in whatever order and however often it comes', () => {
  const seen = new Seen();
  const all = Array.from({ length: 10 }, (_, n) => event({ kind: 'deployEvent', time: second(n) }));
  const news = (events: readonly SkaffoldEvent[]) => {
    seen.again();
    return events.filter(one => seen.isNew(one)).length;
  };
  assert.equal(news(all), 10);
  assert.equal(news(all.slice(0, 3)), 0, 'a replay that broke');
  assert.equal(news(all.toReversed()), 0);
  assert.equal(news([...all, event({ kind: 'deployEvent', time: second(10) })]), 1);
});

test('an event of an earlier time than all before is new: clocks go back', () => {
  const seen = new Seen();
  for (let n = 0; n < 20_000; n++) seen.isNew(event({ kind: 'deployEvent', body: { n }, time: second(59) }));
  assert.ok(seen.isNew(event({ kind: 'deployEvent', time: second(1) })));
});

test('events of one moment are as many as came', () => {
  const seen = new Seen();
  const all = [
    event({ kind: 'buildEvent', body: { artifact: 'a' } }),
    event({ kind: 'buildEvent', body: { artifact: 'b' } }),
    event({ kind: 'buildEvent', body: { artifact: 'a' } }),
    event({ api: 'v2', kind: 'buildEvent', body: { artifact: 'a' } }),
    event({ kind: 'buildEvent', body: { artifact: 'a' }, entry: 'other words' }),
  ];
  assert.deepEqual(
    all.map(one => seen.isNew(one)),
    [true, true, true, true, true],
  );
  seen.again();
  assert.deepEqual(
    all.map(one => seen.isNew(one)),
    [false, false, false, false, false],
  );
});

test('a live event that has overtaken the replay is put in its place', () => {
  const times = [3, 1, 2].map(n => event({ kind: 'deployEvent', time: second(n) }));
  assert.deepEqual(
    times.toSorted(byTime).map(({ time }) => time),
    [second(1), second(2), second(3)],
  );
});

test('streams that wait come out as one, in order of time, also what overtakes', () => {
  const waiting = new Waiting(2);
  const at = (n: number) => event({ kind: 'deployEvent', time: second(n) });
  const rest = () => Array.from({ length: 20 }, () => waiting.shift()).flatMap(one => (one ? [one.time] : []));
  for (const n of [1, 9, 2, 3, 3, 5]) waiting.push(0, at(n));
  for (const n of [4, 6]) waiting.push(1, at(n));
  assert.equal(waiting.shift()?.time, second(1));
  waiting.push(1, at(0)); // live, while the past is told
  assert.ok(!waiting.isEmpty);
  assert.deepEqual(rest(), [0, 2, 3, 3, 4, 5, 6, 9].map(second));
  assert.ok(waiting.isEmpty);
});
