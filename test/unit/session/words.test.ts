import assert from 'node:assert/strict';
import test from 'node:test';
import { runAfter } from '../../../src/core/runAfter.ts';
import type { Problem, Progress, SkaffoldRun } from '../../../src/core/skaffold.ts';
import { runningTasks, ShownProgress } from '../../../src/session/progress.ts';
import { exitCodeOf, problemLines } from '../../../src/session/words.ts';

const runWith = (...all: readonly Progress[]): SkaffoldRun | undefined => {
  let run: SkaffoldRun | undefined;
  for (const progress of all) run = runAfter(run, { kind: 'progress', progress });
  return run;
};

const at = (task: string, subject: string, status: Progress['status'], problem?: Problem): Progress => ({
  ...{ task, subject, status },
  ...(problem ? { problem } : {}),
});

test('tasks that run are progress: each once, with what it works on; a dev loop is none', () => {
  const shown = new ShownProgress();
  const show = (...all: readonly Progress[]) => shown.show(runningTasks(runWith(...all)));
  assert.deepEqual(show(at('DevLoop', '', 'running'), at('Build', '', 'running'), at('PortForward', '', 'running')), [
    { kind: 'start', id: 'skaffold-1', title: 'Skaffold builds', message: '' },
  ]);
  const building = [at('Build', '', 'running'), at('Build', 'web', 'running'), at('Build', 'api', 'running')];
  assert.deepEqual(show(...building), [{ kind: 'update', id: 'skaffold-1', message: 'api, web' }]);
  assert.deepEqual(show(...building), []);
  assert.deepEqual(show(at('Build', 'web', 'succeeded'), at('Deploy', '', 'running')), [
    { kind: 'end', id: 'skaffold-1', message: 'api, web' },
    { kind: 'start', id: 'skaffold-2', title: 'Skaffold deploys', message: '' },
  ]);
  assert.deepEqual(show(), [{ kind: 'end', id: 'skaffold-2', message: '' }]);
});

const broken: Problem = { code: 'BUILD_UNKNOWN', message: 'TS1005\nin server.ts', suggestions: ['Fix it\u001b[2J'] };
const problems = [
  { name: 'none', run: undefined, lines: [] },
  {
    name: 'one that was overcome',
    run: runWith(at('Build', 'web', 'failed', broken), at('Build', 'web', 'succeeded')),
    lines: [],
  },
  {
    name: 'one that its task repeats, with those that were cancelled for it',
    run: runWith(
      at('Build', 'web', 'failed', broken),
      at('Build', 'api', 'failed', { code: 'BUILD_CANCELLED', message: 'cancelled', suggestions: [] }),
      at('Build', '', 'failed', broken),
    ),
    lines: ['Build of web failed: TS1005 ⏎ in server.ts', '  - Fix it'],
  },
  {
    name: 'one that Skaffold could not go on after',
    run: runAfter(undefined, {
      kind: 'termination',
      problem: { code: 'INIT', message: 'no cluster', suggestions: [] },
    }),
    lines: ['Skaffold failed: no cluster'],
  },
];
for (const { name, run, lines } of problems)
  test(`problems at the end of a run: ${name}`, () => assert.deepEqual(problemLines(run), lines));

test('the exit code is that of the process, or says the signal', () => {
  assert.deepEqual(
    [{ code: 3, signal: null }, { code: null, signal: 'SIGTERM' as const }, undefined].map(exitCodeOf),
    [3, 143, 137],
  );
});
