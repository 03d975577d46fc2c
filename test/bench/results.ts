import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { markdown, type Table } from './table.ts';

const file = fileURLToPath(new URL('RESULTS.md', import.meta.url));

const introduction = `# Measured

Written by the commands below; each replaces its own part. All programs of a table run in turn on the same machine in the
same run: ratios can be trusted, milliseconds depend on the machine and on what else it does. CPU counts all threads.
`;

/** One part of the results: tables that one command made. */
export interface Part {
  readonly heading: string;
  readonly command: string;
  /** Of what was measured against, for people. */
  readonly versions: string;
  readonly tables: readonly Table[];
}

/** Load averages of this machine, as the start of a run found them. */
export const loadNow = (): string => loadavg()[1]!.toFixed(1);

/** Writes a part into RESULTS.md in place of the one with its heading. */
export async function writePart(part: Part, loadBefore: string): Promise<void> {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const others = old
    .split(/^(?=## )/m)
    .filter(text => text.startsWith('## ') && !text.startsWith(`## ${part.heading}\n`));
  const parts = [...others, textOf(part, loadBefore)].sort();
  writeFileSync(file, await format([introduction, ...parts].join('\n'), { parser: 'markdown' }));
}

function textOf({ heading, command, versions, tables }: Part, loadBefore: string): string {
  const machine =
    `${availableParallelism()} processors, Node ${process.versions.node}, ${versions}. ` +
    `Load average (5 minutes) before the run ${loadBefore}, after it ${loadNow()}; the run itself keeps it near 2.`;
  return [`## ${heading}`, '', `\`${command}\``, '', machine, '', ...tables.map(markdown)].join('\n');
}
