import type { Command } from './commands.ts';
import { type Find, type Finding, hintsOf, listening } from './finding.ts';
import { beforeDashes, listenOf, optionOf } from './options.ts';
import { nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const goTriggers = ['dlv', '--headless'];

const SUBCOMMANDS = /^(?:exec|debug|test|attach|core|replay|connect|dap|trace|run|version|help)$/;
/** Those that can serve a debugger. */
const SERVERS = /^(?:exec|debug|test|attach|core|replay|run)$/;
/** Options whose value can be the next word (Delve `Documentation/usage`). */
const VALUES =
  /^(?:-l|--listen|--api-version|--build-flags|--init|--log-dest|--log-output|--wd|--backend|-r|--redirect|--tty|--output|--client-addr)$/;
/** Variables with which Skaffold recognises Go. */
const HINTS = ['GODEBUG', 'GOGC', 'GOMAXPROCS', 'GOTRACEBACK', 'KO_DATA_PATH'];

/** Go: a headless Delve; what follows `--` belongs to the program. */
export const findGo: Find = start => [
  ...start.commands.flatMap(ofCommand),
  ...hintsOf('go', start, name => HINTS.includes(name)),
];

function ofCommand({ program, runtime, words }: Command): Finding[] {
  const own = beforeDashes(words);
  const unseen =
    runtime === undefined && program === '' && SUBCOMMANDS.test(own[0] ?? '') && own.includes('--headless');
  if (nameOf(program) !== 'dlv' && !unseen) return [];
  const { subcommand, options, targets } = read(own);
  const text = [program, ...own].filter(Boolean).join(' ');
  const base = { runtime: 'go', evidence: 'flags', protocol: 'dlv', text } as const;
  const broken = (reason: string): Finding[] => [{ ...base, verdict: 'not-debuggable', reason }];
  if (subcommand === 'dap') return broken(dapReason);
  if (!SERVERS.test(subcommand)) return [];
  if (!['', 'true'].includes(options.get('--headless') ?? 'false'))
    return broken('Without --headless dlv waits for keys, not for a debugger.');
  const listen = options.get('--listen');
  if (listen?.startsWith('unix:')) return broken('dlv listens on a Unix socket, which a port-forward does not reach.');
  if (subcommand === 'exec' && targets === 0)
    return [{ ...base, verdict: 'crash', reason: 'dlv exec is given no program: it ends at once.' }];
  const result = listening(listen === undefined ? { kind: 'random' } : listenOf(listen), false, undefined);
  const waits = options.has('--continue') || subcommand === 'attach' ? undefined : waitsReason;
  const takesMany = ['', 'true'].includes(options.get('--accept-multiclient') ?? 'false');
  return [{ ...base, ...result, reason: result.reason ?? waits, takesMany }];
}

const dapReason =
  'dlv dap waits for one client that tells it which program to start; a debugger cannot attach to it. Use "dlv exec --headless".';
const waitsReason = 'dlv starts the program only when a debugger continues it (no --continue).';

/** The last one of equal options wins. */
function read(words: readonly string[]) {
  const options = new Map<string, string>();
  const plain: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const { name, value } = optionOf(words[at]!);
    if (!name.startsWith('-')) plain.push(words[at]!);
    else options.set(name === '-l' ? '--listen' : name, value ?? (VALUES.test(name) ? (words[++at] ?? '') : ''));
  }
  return { subcommand: plain[0] ?? '', options, targets: plain.length - 1 };
}
