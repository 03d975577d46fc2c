import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import test from 'node:test';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { stampOf } from '../../../.ci/proto.ts';
import { FromGrpc } from '../../../src/skaffold/fromGrpc.ts';
import { fromJson } from '../../../src/skaffold/fromJson.ts';
import * as enums from '../../../src/proto/gen/enums.ts';
import * as suggestions from '../../../src/proto/gen/suggestions.ts';
import { LogEntry } from '../../../src/proto/gen/v1.ts';
import { Event } from '../../../src/proto/gen/v2.ts';

test('the generated code is that of the protos', () => {
  for (const file of globSync('src/proto/*.proto', { cwd: inRoot() })) {
    const generated = readFileSync(inRoot('src/proto/gen', `${basename(file, '.proto')}.ts`), 'utf8');
    assert.equal(generated.split('\n')[0], stampOf(readFileSync(inRoot(file), 'utf8')), 'run `npm run proto`');
  }
  assert.match(stampOf('x'), new RegExp(createHash('sha256').update('x').digest('hex')));
});

const at = '2026-11-30T21:00:54.111395218Z';
const lines: {
  name: string;
  line: string;
  api?: string;
  kind?: string;
  entry?: string;
  body?: object;
  problem?: RegExp;
}[] = [
  {
    name: 'v1 over HTTP',
    line: `{"result":{"timestamp":"${at}","event":{"devLoopEvent":{"iteration":0,"status":"In Progress","err":null}},"entry":"Update initiated"}}`,
    ...{
      api: 'v1',
      kind: 'devLoopEvent',
      entry: 'Update initiated',
      body: { iteration: 0, status: 'In Progress', err: null },
    },
  },
  {
    name: 'v2 over HTTP',
    line: `{"result":{"timestamp":"${at}","taskEvent":{"id":"Build-1","task":"Build","iteration":1,"status":"InProgress"}}}`,
    ...{ api: 'v2', kind: 'taskEvent', body: { id: 'Build-1', task: 'Build', iteration: 1, status: 'InProgress' } },
  },
  {
    name: 'v1 without what is empty, as before v1.22',
    line: `{"result":{"timestamp":"${at}","event":{"devLoopEvent":{"status":"In Progress"}}}}`,
    ...{ api: 'v1', kind: 'devLoopEvent', body: { status: 'In Progress' } },
  },
  {
    name: 'v2 from an event-log file, in camel case',
    line: `{"timestamp":"${at}","execEvent":{"id":"task7","taskId":"Exec-0","status":"InProgress"}}`,
    ...{ api: 'v2', kind: 'execEvent', body: { id: 'task7', task_id: 'Exec-0', status: 'InProgress' } },
  },
  {
    name: 'v1 that is not known',
    line: `{"result":{"timestamp":"${at}","event":{},"entry":"new"}}`,
    api: 'v1',
    kind: '',
    entry: 'new',
  },
  { name: 'v2 that is not known', line: `{"result":{"timestamp":"${at}"}}`, api: 'v2', kind: '' },
  {
    name: 'an error of the gateway',
    line: '{"error":{"code":14,"message":"gone","details":[]}}',
    problem: /failed: gone/,
  },
  { name: 'half a line', line: '{"result":{"timest', problem: /is not JSON/ },
  { name: 'no object', line: '[1]', problem: /no object/ },
  {
    name: 'an abyss',
    line: `{"timestamp":"${at}","event":{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    problem: /more than 100 levels/,
  },
  {
    name: 'names that objects have of their own',
    line: `{"timestamp":"${at}","event":{"constructor":{"toString":"a","taskId":"b"}},"entry":"x"}`,
    ...{ api: 'v1', kind: 'constructor', entry: 'x', body: { toString: 'a', task_id: 'b' } },
  },
  { name: 'no time', line: '{"result":{"event":{}}}', problem: /has no time/ },
  { name: 'another time', line: '{"result":{"timestamp":"yesterday","event":{}}}', problem: /yesterday/ },
];

for (const { name, line, problem, ...expected } of lines)
  test(`a line of a stream: ${name}`, () => {
    const parsed = fromJson(line);
    if (problem) assert.match('problem' in parsed ? parsed.problem : '', problem);
    else assert.deepEqual('event' in parsed ? parsed.event : parsed, { time: at, entry: '', body: {}, ...expected });
  });

test('times have nine digits, so that texts compare as times do', () => {
  for (const [short, long] of [
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000000Z'],
    ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500000000Z'],
  ]) {
    const parsed = fromJson(`{"timestamp":"${short}","event":{},"entry":""}`);
    assert.equal('event' in parsed && parsed.event.time, long);
  }
});

const fromGrpc = new FromGrpc({ ...enums, ...suggestions });
const seconds = Date.parse('2026-11-30T21:00:54Z') / 1000;

test('an event of gRPC has the shape that JSON has, enumerations by name', () => {
  const bytes = LogEntry.encode({
    timestamp: { seconds, nanos: 111_395_218 },
    event: {
      buildEvent: {
        artifact: 'web',
        status: 'Failed',
        err: 'no',
        errCode: enums.StatusCode.BUILD_UNKNOWN,
        actionableErr: { errCode: enums.StatusCode.BUILD_UNKNOWN, message: 'no', suggestions: [] },
        hostPlatform: '',
        targetPlatforms: '',
      },
    },
    entry: 'Build failed for artifact web',
  }).finish();
  assert.deepEqual(fromGrpc.v1(LogEntry.decode(bytes)), {
    api: 'v1',
    time: at,
    kind: 'buildEvent',
    body: {
      ...{
        artifact: 'web',
        status: 'Failed',
        err: 'no',
        errCode: 'BUILD_UNKNOWN',
        hostPlatform: '',
        targetPlatforms: '',
      },
      actionableErr: { errCode: 'BUILD_UNKNOWN', message: 'no', suggestions: [] },
    },
    entry: 'Build failed for artifact web',
  });
});

test('a number without a name stays a number, names that somebody chose stay names', () => {
  const level = 42 as enums.LogLevel;
  const log = Event.decode(
    Event.encode({
      timestamp: { seconds, nanos: 0 },
      skaffoldLogEvent: { task_id: 'Build-1', subtask_id: '-1', level, message: 'x' },
    }).finish(),
  );
  assert.equal(fromGrpc.v2(log).body['level'], 42);
  const container = { id: '', task_id: '', status: 'Started', podName: 'p', containerName: 'c', namespace: 'n' };
  const debugging = Event.decode(
    Event.encode({
      timestamp: { seconds, nanos: 0 },
      debuggingContainerEvent: { ...container, artifact: '', runtime: '', workingDir: '', debugPorts: { level: 2 } },
    }).finish(),
  );
  assert.deepEqual(fromGrpc.v2(debugging).body['debugPorts'], { level: 2 });
});

test('an event of gRPC that is newer than this code is one without a name', () => {
  const bytes = Buffer.from([0x0a, 0x02, 0x08, 0x01, 0xd2, 0x3f, 0x01, 0x61]); // timestamp{1}, field 1018 "a"
  assert.deepEqual(fromGrpc.v2(Event.decode(bytes)), {
    ...{ api: 'v2', time: '1970-01-01T00:00:01.000000000Z', kind: '', body: {}, entry: '' },
  });
});
