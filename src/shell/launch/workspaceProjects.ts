import * as vscode from 'vscode';
import type { ModuleArtifacts } from '../../core/groups.ts';
import type { FoundProject } from '../../skaffold/project/roots.ts';
import { type Folder, withoutDoubles } from './choices.ts';

const pattern = '**/skaffold.{yaml,yml}';
/** What others wrote. */
const excluded = '**/{node_modules,vendor,.git}/**';
const mostFiles = 200;

/** The folders of the workspace that are on this disk. */
export const foldersOnDisk = (): readonly vscode.WorkspaceFolder[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');

/** What names and paths of its files go by. */
export const folderOf = ({ name, uri }: vscode.WorkspaceFolder): Folder => ({ name, path: uri.fsPath });

/** The skaffold.yaml files below a workspace folder, those that are to be started first. Only reads files. */
export async function projectsIn(
  folder: vscode.WorkspaceFolder,
  token?: vscode.CancellationToken,
): Promise<readonly FoundProject[]> {
  const found = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, pattern),
    excluded,
    mostFiles,
    token,
  );
  const files = found.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  const { findProjects, readFromDisk } = await import('../../skaffold/later.ts');
  return findProjects(withoutDoubles(files), readFromDisk);
}

/** The named modules of all skaffold.yaml files of the workspace, with the artifacts that they build. */
export async function modulesOfWorkspace(): Promise<readonly ModuleArtifacts[]> {
  const found = (await Promise.all(foldersOnDisk().map(folder => projectsIn(folder)))).flat();
  const modules = new Map(found.flatMap(({ project }) => project.modules).map(one => [`${one.file} ${one.name}`, one]));
  return [...modules.values()].flatMap(({ name, artifacts }) =>
    name === undefined ? [] : [{ name, artifacts: artifacts.map(({ image }) => image) }],
  );
}
