import type { Command } from './commands.ts';
import { type Find, type Finding, hiddenPort, hintsOf, randomPort } from './finding.ts';
import { optionOf } from './options.ts';

const DEFAULT_PORT = 6499;
const HINTS = ['BUN_VERSION', 'BUN_INSTALL', 'BUN_RUNTIME_TRANSPILER_CACHE_PATH'];

/** Bun: `--inspect` and its kin before the script. */
export const findBun: Find = start => [
  ...start.commands.flatMap(ofCommand),
  ...hintsOf('bun', start, name => HINTS.includes(name)),
];

function ofCommand({ runtime, words }: Command): Finding[] {
  if (runtime !== 'bun') return [];
  const at = words.findIndex((word, index) => !word.startsWith('-') && !(index === 0 && word === 'run'));
  const flag = words
    .slice(0, at < 0 ? words.length : at)
    .map(text => ({ text, ...optionOf(text) }))
    .findLast(({ name }) => /^--inspect(?:-brk|-wait)?$/.test(name));
  return flag ? [found(flag.text, flag.value ?? '', flag.name !== '--inspect')] : [];
}

/** Host, port and path in any order that Bun takes (Bun `src/js/internal/debugger.ts`, `parseUrl`). */
function found(text: string, address: string, waits: boolean): Finding {
  const base = { runtime: 'bun', evidence: 'flags', protocol: 'devtools', text } as const;
  if (address.includes('$')) return { ...base, verdict: 'port-unknown', reason: hiddenPort };
  if (/^(?:unix|ws\+unix|tcp|fd):/.test(address))
    return { ...base, verdict: 'not-debuggable', reason: 'It connects to a debugger, or listens on a Unix socket.' };
  const [, host = '', path = ''] = /^(?:wss?:\/\/)?([^/]*)(\/.*)?$/s.exec(address) ?? [];
  const [, written] = /(?:^|:)(\d+)$/.exec(host) ?? [];
  const port = written === undefined ? DEFAULT_PORT : Number(written);
  if (port === 0) return { ...base, verdict: 'port-unknown', reason: randomPort };
  if (path.length < 2) return { ...base, port, verdict: 'port-unknown', reason: randomPath };
  return { ...base, port, path, verdict: waits ? 'suspended' : 'live' };
}

const randomPath =
  'Bun makes up a path for its inspector at each start, which the pod does not tell: give one, as in --inspect=0.0.0.0:6499/debug.';
