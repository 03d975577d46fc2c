import * as vscode from 'vscode';

/** Opens the program to set a first breakpoint in; the view keeps the focus. */
export async function showSample(workspace: string): Promise<void> {
  const file = vscode.Uri.joinPath(vscode.Uri.file(workspace), 'web', 'src', 'server.ts');
  await vscode.window.showTextDocument(file, { preserveFocus: true, preview: false });
}

/** Closes the editors on files of a demo that has ended; its folder is gone. Files with unsaved changes stay. */
export async function closeSamples(folders: readonly string[]): Promise<void> {
  const isSample = ({ input, isDirty }: vscode.Tab) =>
    !isDirty &&
    input instanceof vscode.TabInputText &&
    folders.some(folder => input.uri.fsPath.startsWith(vscode.Uri.file(`${folder}/`).fsPath));
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(isSample);
  await vscode.window.tabGroups.close(tabs, true);
}
