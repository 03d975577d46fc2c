import * as vscode from 'vscode';
import { labelText } from '../plain.ts';
import { nameOfFile } from './choices.ts';
import { debugType } from './launchOptions.ts';
import { folderOf, projectsIn } from './workspaceProjects.ts';

/** The fields of a configuration that tell what to do. */
type Chosen = Readonly<{ type: string; request: 'launch' | 'attach'; name: string; skaffoldFile?: string }>;

type Item = vscode.QuickPickItem & Readonly<{ chosen: Chosen }>;

/**
 * Finds out what to launch where nothing says it: the one skaffold.yaml that no other requires, else the user is asked.
 * Without any the cluster alone is offered. Undefined when the user does not want to.
 */
export async function chooseProject(folders: readonly vscode.WorkspaceFolder[]): Promise<Chosen | undefined> {
  const items = (await Promise.all(folders.map(itemsOf))).flat();
  const roots = items.filter(({ isRoot }) => isRoot);
  const [only] = items.length === 1 ? items : roots.length === 1 ? roots : [];
  if (only) return only.chosen;
  if (items.length === 0) return offerCluster();
  const picked = await vscode.window.showQuickPick<Item>([...roots, ...items.filter(({ isRoot }) => !isRoot)], {
    title: vscode.l10n.t('Choose What Skaffold Runs'),
    matchOnDescription: true,
  });
  return picked?.chosen;
}

async function itemsOf(folder: vscode.WorkspaceFolder): Promise<readonly (Item & { isRoot: boolean })[]> {
  const { t } = vscode.l10n;
  return (await projectsIn(folder)).map(({ project: { file, problems }, isRoot }) => {
    const name = nameOfFile(file, folderOf(folder));
    return {
      label: labelText(name),
      description: labelText(vscode.workspace.asRelativePath(file)),
      detail: problems[0] ? labelText(problems[0].message) : isRoot ? '' : t('Required by others'),
      chosen: { type: debugType, request: 'launch', name: t('Skaffold: {0}', name), skaffoldFile: file },
      isRoot,
    };
  });
}

async function offerCluster(): Promise<Chosen | undefined> {
  const { t } = vscode.l10n;
  const attach = t('Attach to the Cluster');
  const picked = await vscode.window.showWarningMessage(
    t(
      'There is no skaffold.yaml in this workspace. Write one (`skaffold init` in a terminal makes a first one), name another in launch.json, or attach to what runs in the cluster.',
    ),
    attach,
  );
  return picked === attach ? { type: debugType, request: 'attach', name: t('Cluster') } : undefined;
}
