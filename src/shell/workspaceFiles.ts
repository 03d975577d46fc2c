import { access, readdir, readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../core/contracts.ts';

/** No file that tells of a project is larger. */
const mostBytes = 1024 * 1024;

/**
 * Files of the folders that are open on this disk, where debuggers read them too. `more` gives folders that count as
 * open: the sources of the demo.
 */
export const workspaceFiles = (more: () => readonly string[]): WorkspaceFiles => ({
  get folders() {
    const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return [...new Set([...open.map(({ uri }) => uri.fsPath), ...more()])];
  },
  exists: path =>
    access(path).then(
      () => true,
      () => false,
    ),
  list: async dir => {
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    return entries.map(entry => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
  read: path => readSmall(path).catch(() => undefined),
});

async function readSmall(path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  return size > mostBytes ? undefined : readFile(path, 'utf8');
}
