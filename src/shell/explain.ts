import * as vscode from 'vscode';
import type { SourceName } from '../core/model.ts';
import { runRowsOf } from '../core/runRows.ts';
import { type Row, rowsOf } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import type { EventsDocument } from './eventsDocument.ts';
import { labelText, messageText } from './plain.ts';
import { showFailure } from './report.ts';
import { runLine } from './runWords.ts';
import { failureNow, watchStates } from './situation.ts';
import type { Watching } from './watching.ts';
import { lookOf, runtimeName, witnessLines } from './words.ts';

/** Says why a row is as it is: how its attach failed, or what its state comes from. */
export async function explainRow(row: Row, events: EventsDocument, log: vscode.LogOutputChannel): Promise<void> {
  if (row.failure) return showFailure(row.failure, log);
  const { t } = vscode.l10n;
  const { container, pod, detection } = row.container;
  const runtime = runtimeName(detection.runtime, t);
  const showEvents = t('Show Events');
  const sentences = [
    pod
      ? t('{0} of pod {1} ({2}): {3}.', labelText(container), labelText(pod), runtime, lookOf(row, t).word)
      : t('{0} in Docker ({1}): {2}.', labelText(container), runtime, lookOf(row, t).word),
    row.reason ? `${row.reason}.` : '',
    detection.found ? t('Found: {0}', detection.found) : '',
    ...witnessLines(row, t).map(line => (line.endsWith('.') ? line : `${line}.`)),
  ];
  const picked = await vscode.window.showInformationMessage(
    messageText(sentences.filter(Boolean).join(' ')),
    showEvents,
  );
  if (picked) await events.show(row.container);
}

/** Says what a run does, and how it has failed; nothing for one that is gone. */
export async function explainRun({ state }: Store, source: SourceName, log: vscode.LogOutputChannel): Promise<void> {
  const run = runRowsOf(state, rowsOf(state)).find(one => one.source === source);
  if (!run) return;
  const failure =
    run.steps.find(step => step.failure)?.failure ?? (run.state.kind === 'lost' ? run.state.failure : undefined);
  if (failure) return showFailure(failure, log);
  const { t } = vscode.l10n;
  const sentences = [
    `${runLine(run, t)}.`,
    ...run.undebuggable.map(({ artifact, reason }) => t('{0} is built and not debuggable: {1}', artifact, reason)),
  ];
  await vscode.window.showInformationMessage(messageText(sentences.join(' ')));
}

/** Says why there are no rows. */
export async function explainTrouble(store: Store, { state }: Watching, log: vscode.LogOutputChannel): Promise<void> {
  const failure = failureNow(state, watchStates(store.state));
  if (failure) await showFailure(failure, log);
  else
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The cluster is watched, and no container in it is debuggable.'),
    );
}
