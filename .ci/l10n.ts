// Collects the sentences that the code shows to people into media/l10n/bundle.l10n.json, which translators start from.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inRoot } from './lib/paths.ts';

export const bundleFile: string = inRoot('media', 'l10n', 'bundle.l10n.json');

/** A call of `vscode.l10n.t`, mostly under the name `t`, with a literal as its first argument. */
const call = /\bt\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*[,)]/g;
/** Any call of it: what starts like one and is no `call` cannot be translated. */
const anyCall = /\bt\([^\n]*/g;

/** The sentences in a source text, in their order. Throws for one that is put together while the program runs. */
export function sentencesIn(text: string, file: string): string[] {
  const found = [...text.matchAll(call)];
  const starts = new Set(found.map(({ index }) => index));
  const odd = [...text.matchAll(anyCall)].find(({ index }) => !starts.has(index));
  if (odd) throw new Error(`${file}: no literal sentence in ${odd[0]}`);
  return found.map(([, literal]) => valueOf(literal!));
}

/** The base bundle: each sentence once, as its own translation. */
export function bundle(): string {
  const files = globSync(['src/shell/**/*.ts', 'src/extension.ts'], { cwd: inRoot() });
  const sentences = files.flatMap(file => sentencesIn(readFileSync(inRoot(file), 'utf8'), file));
  const sorted = [...new Set(sentences)].sort();
  return `${JSON.stringify(Object.fromEntries(sorted.map(text => [text, text])), undefined, 2)}\n`;
}

/** The value of a string literal. */
const valueOf = (literal: string): string =>
  JSON.parse(
    `"${literal
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replace(/(?<!\\)"/g, '\\"')}"`,
  ) as string;

if (import.meta.main) {
  mkdirSync(dirname(bundleFile), { recursive: true });
  writeFileSync(bundleFile, bundle());
}
