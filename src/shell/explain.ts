import * as vscode from 'vscode';
import type { SourceName } from '../core/model.ts';
import { runRowsOf } from '../core/runRows.ts';
import { type Row, rowsOf } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import type { ExplainDocument } from './explainDocument.ts';
import { messageText } from './plain.ts';
import { showFailure } from './report.ts';
import { runLine } from './runWords.ts';
import { failureNow, watchStates } from './situation.ts';
import type { Watching } from './watching.ts';

/** Shows why a row is as it is; how its attach failed also as a message, for the buttons that may help. */
export async function explainRow(row: Row, document: ExplainDocument, log: vscode.LogOutputChannel): Promise<void> {
  await document.show(row.container);
  if (row.failure && row.failure.actions.length > 0) await showFailure(row.failure, log);
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
