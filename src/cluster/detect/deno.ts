import type { Command } from './commands.ts';
import { type Find, type Finding, hintsOf, listening } from './finding.ts';
import { flagsIn, splitAtScript } from './nodejs.ts';
import { listenOf } from './options.ts';

const HINTS = ['DENO_VERSION', 'DENO_DIR', 'DENO_INSTALL'];

/** Deno: `--inspect` and its kin before the script; V8's inspector, as in Node. */
export const findDeno: Find = start => [
  ...start.commands.flatMap(ofCommand),
  ...hintsOf('deno', start, name => HINTS.includes(name)),
];

function ofCommand({ runtime, words }: Command): Finding[] {
  if (runtime !== 'deno') return [];
  const flags = flagsIn(splitAtScript('deno', words).options).filter(({ name }) => name.startsWith('--inspect'));
  const last = flags.at(-1);
  if (!last) return [];
  const address = flags.findLast(({ value }) => value)?.value;
  const waits = flags.some(({ name }) => name !== '--inspect');
  const where = listening(address ? listenOf(address) : { kind: 'host' }, waits, 9229);
  return [{ runtime: 'deno', evidence: 'flags', protocol: 'devtools', text: last.text, ...where }];
}
