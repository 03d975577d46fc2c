import * as vscode from 'vscode';
import { labelText } from './plain.ts';

/** Asks which of several processes in a container is meant; `undefined` when the user leaves the question. */
export async function pickProcess<T extends Readonly<{ pid: number; command: readonly string[] }>>(
  title: string,
  processes: readonly T[],
): Promise<T | undefined> {
  const items = processes.map(process => ({
    process,
    label: labelText(process.command.join(' ')),
    description: vscode.l10n.t('process {0}', process.pid),
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.process;
}
