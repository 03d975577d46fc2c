import { oneLine } from '../lib/plainText.ts';

/** Translates a sentence of ours and puts values in place of `{0}`, `{1}` …: the shape of `vscode.l10n.t`. */
export type Translate = (message: string, ...args: string[]) => string;

/** Foreign text for a label or a status bar: one line in which `$(name)` draws no icon. */
export const labelText = (text: string, most = 300): string => oneLine(text, most).replaceAll('$(', '$\u200b(');

/** Foreign text for a message box, where `[text](command:…)` would become a link that runs a command. */
export const messageText = (text: string, most = 1000): string => oneLine(text, most).replaceAll('](', ']\u200b(');
