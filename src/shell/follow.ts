import * as vscode from 'vscode';
import type { AttachParts } from '../core/attach.ts';
import type { Container } from '../core/model.ts';
import { labelText, messageText } from './plain.ts';
import { followSetting } from './settings.ts';

/** Whether lost debuggers come back: as the setting says; in a protected context nothing is attached without a click. */
export const followPartsOf = (isProtected: (container: Container) => boolean): AttachParts['follow'] => ({
  ruleFor(container) {
    const rule = followSetting();
    return rule === 'always' && isProtected(container) ? 'ask' : rule;
  },
  ask: askToFollow,
});

/** Asks for one container; no answer is a no. */
async function askToFollow({ container, pod, workload }: Container): Promise<boolean> {
  const { t } = vscode.l10n;
  const yes = t('Attach Again');
  const question = t(
    'The debugger of {0} was lost. Attach it again ({1})?',
    labelText(container),
    labelText(pod || workload.name),
  );
  return (await vscode.window.showInformationMessage(messageText(question), yes)) === yes;
}
