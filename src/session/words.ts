import type { ProcessEnd } from '../core/runs.ts';
import type { Problem, SkaffoldRun } from '../core/skaffold.ts';
import { UserError } from '../core/errors.ts';
import { oneLine } from '../lib/plainText.ts';

/** The user has stopped what was to start. */
export const stoppedBefore = (): UserError => new UserError('stopped', 'Stopped before Skaffold was running.');

/** The Skaffold to join is not there any more, and had said nothing. */
export const notJoined = (port: number): UserError =>
  new UserError('not-joined', `Skaffold at port ${port} has ended.`, { remedy: 'Start it, then this session.' });

export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** How a process ended, for people. */
export function endText(end: ProcessEnd | undefined): string {
  if (!end) return 'Skaffold does not end, not even when it is killed.';
  if (end.signal) return `Skaffold was ended by ${end.signal}.`;
  return end.code === 0 ? 'Skaffold has ended.' : `Skaffold has ended with exit code ${end.code}.`;
}

/** What a shell would say: 128 and the number of the signal. */
export const exitCodeOf = (end: ProcessEnd | undefined): number =>
  end?.code ?? 128 + (signalNumbers[end?.signal ?? 'SIGKILL'] ?? 0);

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** What has failed and was not done again since, with Skaffold's advice: lines. A whole task repeats what its part has said. */
export function problemLines(run: SkaffoldRun | undefined): readonly string[] {
  const failed = [...(run?.progress.values() ?? [])].filter(({ status, problem }) => status === 'failed' && problem);
  const named = failed
    .filter(({ subject }) => subject)
    .map(({ task, subject, problem }) => ({ at: `${task} of ${subject}`, problem: problem! }));
  const whole = failed.filter(({ subject }) => !subject).map(({ task, problem }) => ({ at: task, problem: problem! }));
  const last = run?.problem ? [{ at: 'Skaffold', problem: run.problem }] : [];
  const said: Problem[] = [];
  return [...named, ...whole, ...last].flatMap(({ at, problem }) => {
    if (/CANCELL?ED/.test(problem.code) || said.some(({ message }) => problem.message.includes(message))) return [];
    said.push(problem);
    return [
      `${oneLine(at)} failed: ${oneLine(problem.message || problem.code, 10_000)}`,
      ...problem.suggestions.map(suggestion => `  - ${oneLine(suggestion)}`),
    ];
  });
}
