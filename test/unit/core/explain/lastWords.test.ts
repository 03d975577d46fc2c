import assert from 'node:assert/strict';
import test from 'node:test';
import { explain } from '../../../../src/core/explain/explain.ts';
import { crashedRun } from '../../../../src/core/explain/lastWords.ts';
import type { Container, DebugEvent, LastWords } from '../../../../src/core/model.ts';
import { empty, reduce } from '../../../../src/core/reducer.ts';
import { rowAt } from '../../../../src/core/selectors.ts';
import { container, exited, waiting } from '../../../support/containers.ts';

const last = { exitCode: 255, reason: 'Error', containerId: 'a' };

const crashes: { name: string; parts: Parameters<typeof container>[0]; run: string | undefined }[] = [
  { name: 'a crash loop', parts: { phase: waiting('CrashLoopBackOff'), last, containerId: 'a' }, run: 'a' },
  { name: 'between two runs', parts: { phase: exited(1), containerId: 'b', last }, run: 'b' },
  { name: 'a good end', parts: { phase: exited(0), containerId: 'b' }, run: undefined },
  {
    name: 'a restart after a good end',
    parts: { phase: waiting('x'), last: { ...last, exitCode: 0 } },
    run: undefined,
  },
  { name: 'it runs again', parts: { containerId: 'b', last }, run: undefined },
  { name: 'it has not run yet', parts: { phase: waiting('ContainerCreating') }, run: undefined },
];
for (const { name, parts, run } of crashes)
  test(`which run has crashed: ${name}`, () => assert.equal(crashedRun(container(parts)), run));

const loop = container({ phase: waiting('CrashLoopBackOff'), last, containerId: 'a' });

/** The row and its chain after a container was seen and its log was read. */
function after(one: Container, words: LastWords) {
  const events: DebugEvent[] = [
    { kind: 'seen', source: 'pods', container: one },
    { kind: 'last-words', slot: one.slot, words },
  ];
  const state = events.reduce((now, event) => reduce(now, event).state, empty);
  const row = rowAt(state, one.slot)!;
  return { reason: row.reason, pod: explain(state, row).find(({ name }) => name === 'pod')!, state };
}

test('H66: the row quotes the last line and says what it means', () => {
  const { reason, pod } = after(loop, { run: 'a', line: 'exec /dbg/go/bin/dlv: no such file or directory' });
  const said =
    'its last line is "exec /dbg/go/bin/dlv: no such file or directory": the debugger is there, but the image lacks the interpreter or the C library that it needs';
  assert.equal(reason, `CrashLoopBackOff; last run: Error, exit code 255; ${said}`);
  assert.equal(pod.detail, reason);
  assert.match(pod.fix!, /glibc/);
});

test('a line that nobody knows is quoted alone', () => {
  const { reason } = after(loop, { run: 'a', line: 'Error: no settings' });
  assert.match(reason!, /its last line is "Error: no settings"$/);
});

test('a log that may not be read is told only where somebody asks', () => {
  const failure = { code: 'no-rights', message: 'No right to get pods/log.', actions: [] };
  const { reason, pod } = after(loop, { run: 'a', failure });
  assert.doesNotMatch(reason!, /log/);
  assert.match(pod.detail, /its log cannot be read: No right to get pods\/log\.$/);
});

test('words of a run before say nothing of this one, and those of a container that has gone are forgotten', () => {
  const { reason } = after(loop, { run: 'before', line: 'old' });
  assert.doesNotMatch(reason!, /old/);
  const gone = container({ podUid: 'gone' });
  const { state } = after(loop, { run: 'a', line: 'x' });
  const same = reduce(state, { kind: 'last-words', slot: gone.slot, words: { run: 'b', line: 'y' } }).state;
  assert.deepEqual([...same.lastWords.keys()], [loop.slot]);
});
