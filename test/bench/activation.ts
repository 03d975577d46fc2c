import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Activation } from './activationMode.ts';
import { median, type Table } from './table.ts';

/** Starts the packed extension's first bundle in fresh processes with a stub of `vscode`. */
export async function activationBench(bundle: string, vsix: string, rounds: number): Promise<Table> {
  const all: Activation[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = fork(fileURLToPath(new URL('activationMode.ts', import.meta.url)), [bundle]);
    const exited = once(child, 'exit').then(() => Promise.reject(new Error('the bundle could not be activated')));
    const [activation] = (await Promise.race([once(child, 'message'), exited])) as [Activation];
    all.push(activation);
  }
  const ms = (of: (one: Activation) => number) => `${median(all.map(of)).toFixed(1)} ms`;
  const kb = (file: string) => `${Math.round(statSync(file).size / 1024)} KB`;
  const files = [...new Set(all.flatMap(one => one.files.map(file => basename(file))))];
  return {
    title: 'Activation, and the size of the package',
    note:
      `Middle of ${rounds} fresh processes with a stub of \`vscode\`; CPU time of the main thread. ` +
      'Budget: activation under 20 ms, nothing heavy loaded, VSIX under 1024 KB.',
    columns: ['load', 'activate', 'together', 'files loaded', 'size of the bundle', 'VSIX'],
    rows: [
      [
        ms(one => one.loadMs),
        ms(one => one.activateMs),
        ms(one => one.loadMs + one.activateMs),
        files.join(', '),
        kb(bundle),
        kb(vsix),
      ],
    ],
  };
}
