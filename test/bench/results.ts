import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { markdown, type Table } from './table.ts';

const file = fileURLToPath(new URL('RESULTS.md', import.meta.url));

const introduction = `# Measured

Written by the commands below, table by table. All programs of a table run in turn on the same machine in the same run:
ratios can be trusted, milliseconds depend on the machine and on what else it does. CPU counts all threads.
`;

/** Tables that one command makes. */
export interface Part {
  readonly heading: string;
  readonly command: string;
  /** Of what is measured against, for people. */
  readonly versions: string;
}

/** Measures and writes into RESULTS.md in place of the part's table of the same title; returns what was measured. */
export async function measured(part: Part, measure: () => Promise<Table>): Promise<Table> {
  const before = load();
  const table = await measure();
  const conditions =
    `${availableParallelism()} processors, Node ${process.versions.node}, ${part.versions}; ` +
    `load average before ${before}, after ${load()} (the measurement itself: about 2).`;
  const all = readParts();
  const known = [...all.keys()].find(head => head.startsWith(`## ${part.heading}\n`)) ?? '';
  const tables = all.get(known) ?? new Map<string, string>();
  if (known !== headOf(part)) all.delete(known); // made by another command before
  tables.set(`### ${table.title}`, markdown({ ...table, note: `${table.note}\n\n${conditions}` }));
  all.set(headOf(part), tables);
  await writeParts(all);
  return table;
}

/** Load average of the last five minutes. */
const load = (): string => loadavg()[1]!.toFixed(1);

const headOf = ({ heading, command }: Part): string => `## ${heading}\n\n\`${command}\`\n`;

/** Texts of tables by their heading, by the head of their part. */
type Parts = Map<string, Map<string, string>>;

function readParts(): Parts {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, ...parts] = text.split(/^(?=## )/m);
  return new Map(
    parts.map(part => {
      const [head = '', ...tables] = part.split(/^(?=### )/m);
      return [`${head.trimEnd()}\n`, new Map(tables.map(table => [table.split('\n')[0]!, table]))];
    }),
  );
}

async function writeParts(parts: Parts): Promise<void> {
  const texts = [...parts].flatMap(([head, tables]) => [head, ...tables.values()]);
  writeFileSync(file, await format([introduction, ...texts].join('\n'), { parser: 'markdown' }));
}
