import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../core/contracts.ts';
import { localFiles } from '../debuggers/localFiles.ts';

/** Files of the folders that are open on this disk. `more` gives folders that count as open: the sources of the demo. */
export const workspaceFiles = (more: () => readonly string[]): WorkspaceFiles =>
  localFiles(() => {
    const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return [...open.map(({ uri }) => uri.fsPath), ...more()];
  });
