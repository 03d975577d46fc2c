import * as vscode from 'vscode';

/** Puts text on the clipboard, and says so for a moment. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('{0} copied', text), 5_000);
}
