import * as vscode from 'vscode';
import { labelText, messageText } from './plain.ts';
import { isProtected } from './protectedContexts.ts';
import { protectedContextsSetting } from './settings.ts';

/** Asks before a debugger goes into a context that the user protects. `what` is clean text. */
export async function isWanted(context: string, what: string): Promise<boolean> {
  if (!isProtected(context, protectedContextsSetting())) return true;
  const { t } = vscode.l10n;
  const yes = t('Attach');
  const detail = t('The context is protected by a setting. A breakpoint pauses the process for everybody who uses it.');
  const question = t('Attach a debugger to {0} in {1}?', what, labelText(context));
  return (await vscode.window.showWarningMessage(messageText(question), { modal: true, detail }, yes)) === yes;
}
