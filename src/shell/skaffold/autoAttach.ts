import * as vscode from 'vscode';
import { contextOf } from '../../core/identity.ts';
import type { Container, State } from '../../core/model.ts';
import { runWith } from '../../core/skaffold.ts';
import { labelText, messageText } from '../plain.ts';
import { isProtected } from '../protectedContexts.ts';
import { protectedContextsSetting } from '../settings.ts';
import { mayHit } from './breakpoints.ts';

/** Whether breakpoints are set that may be meant for a container. */
export function hasBreakpoints(container: Container, state: State): boolean {
  const files = vscode.debug.breakpoints.flatMap(one =>
    one.enabled && one instanceof vscode.SourceBreakpoint ? [one.location.uri.fsPath] : [],
  );
  return mayHit(container, runWith(state, container), files);
}

/** Asks for one container; no answer is a no. */
export async function askToAttach({ container, pod, workload }: Container): Promise<boolean> {
  const { t } = vscode.l10n;
  const yes = t('Attach');
  const question = t('Attach a debugger to {0} ({1})?', labelText(container), labelText(pod || workload.name));
  return (await vscode.window.showInformationMessage(messageText(question), yes)) === yes;
}

/** Whether a container is in a context that the user protects. */
export const isInProtectedContext = ({ cluster, direct }: Container): boolean =>
  !direct && isProtected(contextOf(cluster), protectedContextsSetting());
