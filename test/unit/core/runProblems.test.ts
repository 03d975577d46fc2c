import assert from 'node:assert/strict';
import test from 'node:test';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Store } from '../../../src/core/store.ts';
import type { Problem, Progress, SkaffoldFact } from '../../../src/core/skaffold.ts';

const source = 'skaffold:50051';
const time = '2026-01-01T00:00:00Z';
const broken: Problem = { code: 'BUILD_UNKNOWN', message: 'TS1005\nin server.ts', suggestions: ['Fix it\u001b[2J.'] };

const at = (task: string, subject: string, status: Progress['status'], problem?: Problem): SkaffoldFact => ({
  kind: 'progress',
  progress: { task, subject, status, ...(problem ? { problem } : {}) },
});

/** What the log has after these facts, each told by an event, and at the end. */
function logOf(facts: readonly SkaffoldFact[]): { before: string[]; atTheEnd: string[] } {
  const log = new EventLog(() => new Date(0));
  const store = new Store(log);
  const said = { kind: 'buildEvent', level: 'info', body: {}, entry: 'an event', time } as const;
  for (const fact of facts) store.apply({ kind: 'skaffold', source, said, facts: [fact] });
  const failures = () => log.records.filter(({ level }) => level === 'error');
  const before = failures();
  for (const record of before) assert.equal(record.time, time, 'the time of its event');
  store.apply({ kind: 'drained', source, drain: { events: 1, ms: 2, outcome: 'complete' } });
  assert.match(log.records.at(-1)!.entry, /^Stopped reading skaffold:50051: 1 events in the last 2 ms, complete$/);
  const texts = (records: typeof before) => records.map(({ entry }) => entry);
  return { before: texts(before), atTheEnd: texts(failures().slice(before.length)) };
}

const web = 'Build of web failed: TS1005 ⏎ in server.ts Fix it.';

test('nothing has failed', () =>
  assert.deepEqual(logOf([at('Build', 'web', 'running')]), { before: [], atTheEnd: [] }));

test('what has failed is said when it fails, and once more at the end', () =>
  assert.deepEqual(logOf([at('Build', 'web', 'failed', broken)]), { before: [web], atTheEnd: [web] }));

test('what was overcome is not said at the end', () =>
  assert.deepEqual(logOf([at('Build', 'web', 'failed', broken), at('Build', 'web', 'succeeded')]), {
    before: [web],
    atTheEnd: [],
  }));

test('the whole of a task repeats its part, and others were cancelled for it: said once', () => {
  const cancelled: Problem = { code: 'BUILD_CANCELLED', message: 'cancelled', suggestions: [] };
  const facts = [
    at('Build', 'web', 'failed', broken),
    at('Build', 'api', 'failed', cancelled),
    at('Build', '', 'failed', { ...broken, message: `build [web] failed: ${broken.message}` }),
    at('DevLoop', '', 'failed', broken),
  ];
  assert.deepEqual(logOf(facts), { before: [web], atTheEnd: [web] });
});

test('what Skaffold could not go on after', () => {
  const problem: Problem = { code: 'INIT', message: 'no cluster', suggestions: [] };
  const line = 'Skaffold failed: no cluster';
  assert.deepEqual(logOf([{ kind: 'termination', problem }]), { before: [line], atTheEnd: [line] });
});
