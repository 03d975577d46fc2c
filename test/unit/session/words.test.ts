import assert from 'node:assert/strict';
import test from 'node:test';
import { runAfter } from '../../../src/core/runAfter.ts';
import type { Problem, Progress, SkaffoldRun } from '../../../src/core/skaffold.ts';
import { runningTasks, ShownProgress } from '../../../src/session/progress.ts';
import { exitCodeOf } from '../../../src/session/words.ts';

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

test('the exit code is that of the process, or says the signal', () => {
  assert.deepEqual(
    [{ code: 3, signal: null }, { code: null, signal: 'SIGTERM' as const }, undefined].map(exitCodeOf),
    [3, 143, 137],
  );
});
