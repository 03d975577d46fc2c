import * as vscode from 'vscode';
import { rawText } from '../core/errors.ts';
import { settings } from './ids.ts';
import { labelText } from './plain.ts';
import { listNamespaces, type Watching } from './watching.ts';

const listLimitMs = 10_000;

/** Asks for a context of the kubeconfig and watches it. Throws `UserError` when there is none to choose. */
export async function chooseContext(watching: Watching): Promise<void> {
  const contexts = await watching.contexts();
  const { state } = watching;
  const now = state.kind === 'watching' ? state.context : undefined;
  const items = contexts.map(({ name, server, namespace, isCurrent }) => ({
    name,
    label: labelText(name),
    description: marks(name === now, isCurrent),
    detail: vscode.l10n.t('{0}, namespace {1}', labelText(server ?? '?'), labelText(namespace)),
  }));
  const other = { name: undefined, label: vscode.l10n.t('$(gear) Another kubeconfig…') };
  const separator = { name: undefined, label: '', kind: vscode.QuickPickItemKind.Separator };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { name: string | undefined }>(
    [...items, separator, other],
    { title: vscode.l10n.t('Choose the Context to Watch'), matchOnDetail: true },
  );
  if (picked?.name !== undefined) watching.chooseContext(picked.name);
  else if (picked) await vscode.commands.executeCommand('workbench.action.openSettings', settings.kubeconfig);
}

/** Asks for namespaces: from a list where the login may list them, else as text. Throws `UserError`. */
export async function chooseNamespaces(watching: Watching): Promise<void> {
  const access = await watching.access();
  const { state } = watching;
  const now = state.kind === 'watching' ? state.namespaces : [access.namespace];
  const chosen = await listNamespaces(access, AbortSignal.timeout(listLimitMs)).then(
    listed => pickNamespaces(listed, now),
    (error: unknown) => typeNamespaces(now, rawText(error)),
  );
  if (chosen && chosen.length > 0) watching.chooseNamespaces(chosen);
}

async function pickNamespaces(
  listed: readonly string[],
  now: readonly string[] | 'all',
): Promise<readonly string[] | 'all' | undefined> {
  const all = { label: vscode.l10n.t('All namespaces'), picked: now === 'all', isAll: true };
  const names = [...new Set([...listed, ...(now === 'all' ? [] : now)])].toSorted();
  const items = names.map(name => ({ label: name, picked: now !== 'all' && now.includes(name), isAll: false }));
  const picked = await vscode.window.showQuickPick([all, ...items], {
    title: vscode.l10n.t('Choose the Namespaces to Watch'),
    canPickMany: true,
  });
  return picked?.some(({ isAll }) => isAll) ? 'all' : picked?.map(({ label }) => label);
}

async function typeNamespaces(now: readonly string[] | 'all', cause: string): Promise<readonly string[] | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Choose the Namespaces to Watch'),
    prompt: vscode.l10n.t(
      'Namespaces cannot be listed ({0}). Give their names, separated by commas.',
      labelText(cause),
    ),
    value: now === 'all' ? '' : now.join(', '),
    validateInput: value => (namesIn(value).length > 0 ? undefined : vscode.l10n.t('Give at least one name.')),
  });
  return text === undefined ? undefined : namesIn(text);
}

const namesIn = (text: string) => text.split(/[\s,]+/).filter(name => name !== '');

const marks = (isWatched: boolean, isCurrent: boolean): string =>
  [isWatched ? vscode.l10n.t('watched') : '', isCurrent ? vscode.l10n.t('current') : ''].filter(Boolean).join(', ');
