import type { Command } from './commands.ts';
import { type Find, type Finding, hintsOf, listening } from './finding.ts';
import { beforeDashes, listenOf, optionOf } from './options.ts';
import { nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const goTriggers = ['dlv', '--headless'];

const SUBCOMMANDS = /^(?:exec|debug|test|attach|core|replay|connect|dap|trace|run|version|help)$/;
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
  const { subcommand, options } = read(own);
  const base = {
    runtime: 'go',
    evidence: 'flags',
    protocol: 'dlv',
    where: unseen ? undefined : 'the command',
  } as const;
  const listen = options.get('--listen');
  const text = listen === undefined ? `dlv ${subcommand}` : `dlv ${subcommand} --listen ${listen}`;
  if (subcommand === 'dap') return [{ ...base, text, verdict: 'not-debuggable', reason: dapReason }];
  if (!/^(?:exec|debug|test|attach|core|replay|run)$/.test(subcommand)) return [];
  if (!['', 'true'].includes(options.get('--headless') ?? 'false'))
    return [
      {
        ...base,
        text,
        verdict: 'not-debuggable',
        reason: 'Without --headless dlv waits for keys, not for a debugger.',
      },
    ];
  if (listen?.startsWith('unix:'))
    return [
      {
        ...base,
        text,
        verdict: 'not-debuggable',
        reason: 'dlv listens on a Unix socket, which a port-forward does not reach.',
      },
    ];
  const result = listening(listen === undefined ? { kind: 'random' } : listenOf(listen), false, undefined);
  const waits = options.has('--continue') || subcommand === 'attach' ? undefined : waitsReason;
  return [{ ...base, text, ...result, reason: result.reason ?? waits }];
}

const dapReason =
  'dlv dap waits for one client that tells it which program to start; a debugger cannot attach to it. Use "dlv exec --headless".';
const waitsReason = 'dlv starts the program only when a debugger continues it (no --continue).';

/** The last one of equal options wins. */
function read(words: readonly string[]): { subcommand: string; options: ReadonlyMap<string, string> } {
  const options = new Map<string, string>();
  let subcommand = '';
  for (let at = 0; at < words.length; at++) {
    const { name, value } = optionOf(words[at]!);
    if (!name.startsWith('-')) subcommand ||= name;
    else options.set(name === '-l' ? '--listen' : name, value ?? (VALUES.test(name) ? (words[++at] ?? '') : ''));
  }
  return { subcommand, options };
}
