import * as vscode from 'vscode';
import { type Action, type Failure, failureOf, failureText, UserError } from '../core/errors.ts';
import { dontAskCommand } from './ids.ts';
import { QUIETLY_MISSING } from './installed.ts';
import { messageText } from './plain.ts';

/** Codes of errors that the user asked for. */
const cancelled: readonly string[] = ['attach-cancelled'];
/** Codes of errors that the user does not want to be asked about; the log has them. */
const unasked: readonly string[] = [QUIETLY_MISSING];

/** The one place where an error becomes a message; the log has it too. */
export async function report(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof UserError && cancelled.includes(error.code)) return;
  const failure = failureOf(error);
  log.error(messageText(failureText(failure)));
  if (!(error instanceof UserError) && error instanceof Error && error.stack) log.debug(error.stack);
  if (!unasked.includes(failure.code)) await showFailure(failure, log);
}

/** Shows a failure with what can be done about it. */
export async function showFailure(failure: Failure, log: vscode.LogOutputChannel): Promise<void> {
  const openLog = vscode.l10n.t('Open Log');
  const labels = failure.actions.map(({ label }) => label);
  const picked = await vscode.window.showErrorMessage(messageText(failureText(failure)), ...labels, openLog);
  const action = failure.actions.find(({ label }) => label === picked);
  if (action) await run(action);
  else if (picked === openLog) log.show();
}

function run(action: Action): Thenable<unknown> {
  switch (action.kind) {
    case 'installExtension':
      return vscode.commands.executeCommand('workbench.extensions.installExtension', action.id);
    case 'showExtension':
      return vscode.commands.executeCommand('extension.open', action.id);
    case 'dontAskAgain':
      return vscode.commands.executeCommand(dontAskCommand, action.key);
    case 'openSetting':
      return vscode.commands.executeCommand('workbench.action.openSettings', action.key);
    case 'command':
      return vscode.commands.executeCommand(action.command);
    default:
      return action satisfies never;
  }
}
