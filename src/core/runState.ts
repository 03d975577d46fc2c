import { type Failure, failureText } from './errors.ts';
import { oneLine } from '../lib/plainText.ts';
import type { SourceState } from './model.ts';
import type { Problem, Progress, SkaffoldRun } from './skaffold.ts';

/** A step of an iteration: `task` as Skaffold calls it (`Build`, `Deploy`, `StatusCheck`, …), empty for the start of Skaffold. */
export type TaskStep = Readonly<{ task: string; subject: string; status: 'running' | 'failed'; failure?: Failure }>;

/**
 * What a run is doing. `working`: a step is on; `failed`: a step has failed, and nothing goes on until something changes;
 * `offered`: it was found, and nobody reads what it says; `lost`: nothing comes from it, though it may go on.
 */
export type RunState = Readonly<
  | { kind: 'offered' | 'starting' | 'running' | 'stopping' | 'ended' }
  | { kind: 'working'; step: TaskStep }
  | { kind: 'failed'; step: TaskStep; isOver: boolean }
  | { kind: 'lost'; failure?: Failure }
>;

/** `source` is how the reading of its events goes. */
export function runStateOf(run: SkaffoldRun, source: SourceState | undefined): RunState {
  const failed = failedSteps(run)[0];
  if (run.ended) return failed ? { kind: 'failed', step: failed, isOver: true } : { kind: 'ended' };
  if (source?.kind === 'retrying' || source?.kind === 'stopped') return { kind: 'lost', failure: source.failure };
  if (!source && run.about?.origin === 'found') return { kind: 'offered' };
  if (run.isEnding) return { kind: 'stopping' };
  if (failed) return { kind: 'failed', step: failed, isOver: false };
  const step = runningSteps(run)[0];
  if (step) return { kind: 'working', step };
  const isUp = run.hasDeployed || run.reported.size > 0 || progressOf(run, 'DevLoop')?.status === 'succeeded';
  return { kind: isUp ? 'running' : 'starting' };
}

/** What is on and what has failed, in the order in which Skaffold does it. */
export const stepsOf = (run: SkaffoldRun): readonly TaskStep[] => [...runningSteps(run), ...failedSteps(run)];

/** What has failed, a line each; not what was only given up for it, nor what repeats a line before. */
export function problemTextsOf(run: SkaffoldRun): readonly string[] {
  const said: string[] = [];
  return failedSteps(run).flatMap(({ task, subject, failure }) => {
    if (!failure || /CANCELL?ED/.test(failure.code) || said.some(text => failure.message.includes(text))) return [];
    said.push(failure.message);
    const what = [task, subject].filter(Boolean).join(' of ') || 'Skaffold';
    return [oneLine(`${what} failed: ${failureText(failure)}`, MOST_CHARACTERS)];
  });
}

/** A compiler can say a lot. */
const MOST_CHARACTERS = 10_000;

export const hasFailed = (run: SkaffoldRun): boolean => failedSteps(run).length > 0;

/** Later tasks begin within earlier ones: a status check is a part of its deploy. */
const latestFirst = ['StatusCheck', 'Verify', 'Deploy', 'Render', 'Test', 'Build', 'Sync'];

const inLatestOrder = (a: Pick<Progress, 'task'>, b: Pick<Progress, 'task'>): number =>
  latestFirst.indexOf(a.task) - latestFirst.indexOf(b.task);

function runningSteps(run: SkaffoldRun): readonly TaskStep[] {
  if (run.ended) return [];
  const running = [...run.progress.values()].filter(
    ({ task, subject, status }) => status === 'running' && latestFirst.includes(task) && !isOver(run, task, subject),
  );
  return precise(running)
    .map(({ task, subject }) => ({ task, subject, status: 'running' as const }))
    .toSorted(inLatestOrder);
}

/** Not each part of a task is told to have ended (pods of a status check are not), but the whole is. */
function isOver(run: SkaffoldRun, task: string, subject: string): boolean {
  const whole = subject === '' ? undefined : progressOf(run, task);
  return whole !== undefined && whole.status !== 'running';
}

function failedSteps(run: SkaffoldRun): readonly TaskStep[] {
  const failed = precise([...run.progress.values()].filter(({ status }) => status === 'failed'));
  const causes = failed.filter(one => !failed.some(other => isWithin(other.task, one.task))).toSorted(inLatestOrder);
  const steps = causes.map(({ task, subject, problem }) => failedStep(task, subject, problem));
  return steps.length === 0 && run.problem ? [failedStep('', '', run.problem)] : steps;
}

/** What fails within a task makes the whole of it fail. */
const isWithin = (inner: string, outer: string): boolean =>
  (outer === 'DevLoop' && inner !== 'DevLoop') || (outer === 'Deploy' && inner === 'StatusCheck');

const failedStep = (task: string, subject: string, problem: Problem | undefined): TaskStep => ({
  task,
  subject,
  status: 'failed',
  ...(problem ? { failure: failureOfProblem(problem) } : {}),
});

/** Parts of a task say more than the whole of it. */
const precise = (all: readonly Progress[]): readonly Progress[] =>
  all.filter(({ task, subject }) => subject !== '' || !all.some(other => other.task === task && other.subject !== ''));

const progressOf = ({ progress }: SkaffoldRun, task: string): Progress | undefined =>
  progress.get(JSON.stringify([task, '']));

/** Skaffold's own words, and its advice as the way out. */
export const failureOfProblem = ({ code, message, suggestions }: Problem): Failure => ({
  code,
  message: message || code,
  ...(suggestions.some(Boolean) ? { remedy: suggestions.filter(Boolean).join(' ') } : {}),
  actions: [],
});
