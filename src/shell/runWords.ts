import type { Undebuggable } from '../core/built.ts';
import type { RunRow } from '../core/runRows.ts';
import type { RunState, TaskStep } from '../core/runState.ts';
import { labelText, type Translate } from './plain.ts';
import { failureLines, type RowText } from './words.ts';

/** Everything that a row of a run, a step or an artifact says, as plain text; the label too. */
export type LabelledText = RowText & Readonly<{ label: string }>;

type Run = Pick<RunRow, 'name' | 'source' | 'state' | 'origin'>;

/** A run by its name, or by the port at which it was found. */
export const runName = ({ name, source }: Pick<RunRow, 'name' | 'source'>, t: Translate): string =>
  labelText(name ?? t('Skaffold at port {0}', source.replace(/^.*:/, '')), 60);

export function runText(run: Run, t: Translate): LabelledText {
  const label = runName(run, t);
  const { state } = run;
  const word = runWord(run, t);
  const failure = state.kind === 'failed' ? state.step.failure : state.kind === 'lost' ? state.failure : undefined;
  return {
    label,
    look: { ...runLook(run), word },
    description: word,
    tooltip: [runLine(run, t), originText(run, t), ...(failure ? failureLines(failure, t) : [])]
      .filter(Boolean)
      .join('\n'),
    spoken: `Skaffold ${label}, ${word}`,
  };
}

/** What is worth the place of all else in the status bar: a run that works or has failed. A failure goes first. */
export function runNews(
  runs: readonly Run[],
  t: Translate,
): Readonly<{ text: string; isFailure: boolean }> | undefined {
  const run = runs.find(({ state }) => state.kind === 'failed') ?? runs.find(({ state }) => isAtWork(state));
  return run && { text: runWord(run, t), isFailure: run.state.kind === 'failed' };
}

const isAtWork = ({ kind }: RunState): boolean => kind === 'starting' || kind === 'working' || kind === 'stopping';

/** A run and what it does, as a line. */
export const runLine = (run: Run, t: Translate): string => `Skaffold ${runName(run, t)}: ${runWord(run, t)}`;

/** What a run does, in a word or two. */
export function runWord({ state }: Pick<RunRow, 'state'>, t: Translate): string {
  switch (state.kind) {
    case 'offered':
      return t('found, not joined');
    case 'starting':
      return t('starting');
    case 'running':
      return t('running');
    case 'stopping':
      return t('stopping');
    case 'ended':
      return t('ended');
    case 'lost':
      return t('connection lost');
    case 'working':
      return workWord(state.step, t);
    case 'failed':
      return t('failed at {0}', taskNoun(state.step, t));
    default:
      return state satisfies never;
  }
}

function runLook({ state }: Pick<RunRow, 'state'>): Readonly<{ icon: string; color?: string }> {
  switch (state.kind) {
    case 'offered':
      return { icon: 'circle-outline' };
    case 'starting':
    case 'working':
    case 'stopping':
      return { icon: 'sync~spin' };
    case 'running':
      return { icon: 'rocket', color: 'charts.green' };
    case 'ended':
      return { icon: 'circle-slash', color: 'disabledForeground' };
    case 'lost':
      return { icon: 'debug-disconnect', color: 'list.warningForeground' };
    case 'failed':
      return { icon: 'error', color: 'list.errorForeground' };
    default:
      return state satisfies never;
  }
}

function originText({ origin }: Run, t: Translate): string {
  switch (origin) {
    case 'launched':
      return t('Started by this window');
    case 'found':
      return t('Found among your processes');
    case 'given':
      return t('Joined at a port that was given');
    case undefined:
      return '';
    default:
      return origin satisfies never;
  }
}

/** A step that is on. */
export function workWord({ task, subject }: TaskStep, t: Translate): string {
  const of = labelText(subject, 60);
  switch (task) {
    case 'Build':
      return subject ? t('building {0}', of) : t('building');
    case 'Test':
      return t('testing');
    case 'Render':
      return t('rendering manifests');
    case 'Deploy':
      return t('deploying');
    case 'StatusCheck':
      return subject ? t('checking status of {0}', of) : t('checking status');
    case 'Sync':
      return subject ? t('syncing files to {0}', of) : t('syncing files');
    default:
      return labelText(task, 40);
  }
}

/** A step, as a noun. */
export function taskNoun({ task, subject }: TaskStep, t: Translate): string {
  const of = labelText(subject, 60);
  switch (task) {
    case '':
      return t('the start');
    case 'DevLoop':
      return t('an iteration');
    case 'Build':
      return subject ? t('build of {0}', of) : t('build');
    case 'Test':
      return t('test');
    case 'Render':
      return t('rendering of manifests');
    case 'Deploy':
      return t('deploy');
    case 'StatusCheck':
      return subject ? t('status check of {0}', of) : t('status check');
    case 'Sync':
      return subject ? t('file sync to {0}', of) : t('file sync');
    default:
      return labelText(task, 40);
  }
}

export function stepText(step: TaskStep, t: Translate): LabelledText {
  const { failure } = step;
  if (step.status === 'running') {
    const word = workWord(step, t);
    return { label: word, look: { icon: 'loading~spin', word }, description: '', tooltip: word, spoken: word };
  }
  const noun = taskNoun(step, t);
  const word = t('failed');
  return {
    label: noun,
    look: { icon: 'error', color: 'list.errorForeground', word },
    description: failure ? `${word}: ${labelText(failure.message)}` : word,
    tooltip: [t('Failed at {0}', noun), ...(failure ? failureLines(failure, t) : [])].join('\n'),
    spoken: [`${noun} ${word}`, failure && labelText(failure.message)].filter(Boolean).join(', '),
  };
}

export function artifactText({ artifact, reason }: Undebuggable, t: Translate): LabelledText {
  const label = labelText(artifact, 100);
  const word = t('built, not debuggable');
  return {
    label,
    look: { icon: 'warning', color: 'list.warningForeground', word },
    description: `${word}: ${labelText(reason, 80)}`,
    tooltip: `${label}: ${word}\n${labelText(reason)}`,
    spoken: `${label}, ${word}, ${labelText(reason)}`,
  };
}
