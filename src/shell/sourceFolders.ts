import * as vscode from 'vscode';
import { type ChosenFolders, folderKey } from '../core/chosenFolders.ts';
import type { ArtifactSources } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import { labelText } from './plain.ts';

const key = 'sourceFolders';

/** The folders that the user has chosen for containers; the workspace remembers them. */
export class SourceFolders implements ChosenFolders {
  private readonly memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.memory = memory;
  }

  get(of: string): string | undefined {
    return this.all()[of];
  }

  /** Asks for the folder of a container; `found` knows which may be meant. The next attach uses it. */
  async choose(container: Container, found: ArtifactSources): Promise<void> {
    const of = folderKey(container);
    const now = this.get(of);
    const artifacts = (await found.sourcesOf(container)).map(({ context, from }) => ({
      label: labelText(context),
      description: labelText(from),
      path: context,
    }));
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => ({
      label: labelText(uri.fsPath),
      description: vscode.l10n.t('folder of the workspace'),
      path: uri.fsPath,
    }));
    const known = new Set(artifacts.map(({ path }) => path));
    const other = { label: vscode.l10n.t('$(folder) Another folder…'), path: undefined };
    const none = { label: vscode.l10n.t('$(sparkle) Find it by itself again'), path: undefined };
    const picked = await vscode.window.showQuickPick(
      [...artifacts, ...folders.filter(({ path }) => !known.has(path)), other, ...(now === undefined ? [] : [none])],
      {
        title: vscode.l10n.t('Sources of {0}', labelText(container.container)),
        placeHolder: now === undefined ? '' : labelText(now),
      },
    );
    const path = picked === other ? await browsed() : picked?.path;
    if (path !== undefined || picked === none) await this.set(of, path);
  }

  private all(): Readonly<Record<string, string>> {
    return this.memory.get<Record<string, string>>(key, {});
  }

  private async set(of: string, path: string | undefined): Promise<void> {
    const { [of]: _, ...others } = this.all();
    await this.memory.update(key, path === undefined ? others : { ...others, [of]: path });
  }
}

async function browsed(): Promise<string | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, canSelectMany: false })) ?? [];
  return folder?.fsPath;
}
