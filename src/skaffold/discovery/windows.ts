import { commandOutput } from './commandOutput.ts';
import type { Process, ProcessTable } from './process.ts';

const query =
  `Get-CimInstance Win32_Process -Filter "Name LIKE 'skaffold%'" | ` +
  `Select-Object ProcessId, CommandLine | ConvertTo-Json -Compress`;

/** Windows: PowerShell, which tells the command lines of this user's processes alone, and no folders. Not run by any test. */
export const windows: ProcessTable = {
  async read() {
    return inCim(await commandOutput('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]));
  },
};

/** What PowerShell prints: nothing, one process or a list of them. */
export function inCim(output: string): Process[] {
  let found: unknown;
  try {
    found = JSON.parse(output);
  } catch {
    return [];
  }
  return [found].flat().flatMap(one => {
    const { ProcessId: pid, CommandLine: line } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return typeof pid === 'number' && typeof line === 'string' ? [{ pid, words: wordsOf(line) }] : [];
  });
}

/** A command line as programs of Windows read it: quotes hold words together, a backslash means something before a quote only. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (const [, backslashes = '', quote, other = ''] of line.matchAll(/(\\*)(?:(")|([^"\\]))?/gs)) {
    const isEscaped = quote && backslashes.length % 2 === 1;
    if (quote && !isEscaped) isQuoted = !isQuoted;
    const text = quote ? '\\'.repeat(backslashes.length / 2) + (isEscaped ? '"' : '') : backslashes;
    if (quote || text || (other && (isQuoted || !/\s/.test(other)))) word = (word ?? '') + text;
    if (other && (isQuoted || !/\s/.test(other))) word += other;
    else if (other && word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
