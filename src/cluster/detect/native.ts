import type { Command } from './commands.ts';
import { type Find, type Finding, listening } from './finding.ts';
import { listenOf, optionOf } from './options.ts';
import { nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const nativeTriggers = ['gdbserver', 'lldb-server'];

/** Options of gdbserver whose value is the next word (gdbserver manual page). */
const VALUES = /^--(?:wrapper|debug-file|debug-format|selftest|log-file|log-channels|named-pipe|pipe|fd)$/;

/** C, C++ and Rust: gdbserver, and lldb-server in the same role. */
export const findNative: Find = start => start.commands.flatMap(ofCommand);

function ofCommand({ program, runtime, words }: Command): Finding[] {
  if (runtime !== 'native') return [];
  const isLldb = nameOf(program) === 'lldb-server';
  if (isLldb && !/^g(?:dbserver)?$/.test(words[0] ?? '')) return [];
  const { options, address, own } = read(isLldb ? words.slice(1) : words);
  const text = [program, ...(isLldb ? [words[0]!] : []), ...own].join(' ');
  const base = { runtime: 'native', evidence: 'flags', protocol: 'gdbserver', text } as const;
  if (address === undefined || address === 'stdio' || address === '-' || address.startsWith('/'))
    return [
      { ...base, verdict: 'not-debuggable', reason: 'It serves no TCP port, so a port-forward does not reach it.' },
    ];
  const waits = !options.has('--attach') && !options.has('--multi');
  return [{ ...base, ...listening(listenOf(address), waits, undefined) }];
}

/** Options, then where it listens; the program and its own words follow. */
function read(words: readonly string[]) {
  const options = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { name, value } = optionOf(word);
    if (!name.startsWith('--')) return { options, address: word, own: words.slice(0, at + 1) };
    options.add(name);
    if (name === '--wrapper') at = words.indexOf('--', at);
    else if (value === undefined && VALUES.test(name)) at++;
    if (at < 0) break;
  }
  return { options, address: undefined, own: words };
}
