import type { Command } from './commands.ts';
import { type Find, type Finding, hintsOf, listening } from './finding.ts';
import { listenOf, optionOf } from './options.ts';
import { nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const rubyTriggers = ['rdbg', 'RUBY_DEBUG_'];

const HINTS = ['RUBY_VERSION', 'RUBYOPT', 'RUBYLIB', 'GEM_HOME', 'BUNDLE_PATH', 'RAILS_ENV', 'RACK_ENV'];
/** Options whose value is the next word (debug.gem `lib/debug/config.rb`, `parse_argv`). */
const VALUES = /^(?:-e|-x|--init-script|-p|--port|--host|--sock-path|--cookie|--session-name)$/;

/** Ruby: debug.gem by `rdbg --open`, or by variables that a program's `require "debug/open"` reads. */
export const findRuby: Find = start => [
  ...start.commands.flatMap(ofCommand),
  ...hintsOf('ruby', start, name => HINTS.includes(name)),
];

function ofCommand({ program, runtime, words, variables }: Command): Finding[] {
  const at = nameOf(program) === 'rdbg' ? 0 : words.findIndex(word => nameOf(word) === 'rdbg') + 1;
  const isRdbg = at > 0 || nameOf(program) === 'rdbg';
  if (runtime !== 'ruby' || (!isRdbg && !variables.get('RUBY_DEBUG_PORT'))) return [];
  const { options, own } = isRdbg ? optionsOf(words.slice(at)) : { options: new Map<string, string>(), own: [] };
  const opens = ['-O', '--open', '--open-frontend'].some(name => options.has(name));
  const variable = (name: string) => variables.get(`RUBY_DEBUG_${name}`);
  if (isRdbg && !opens && variable('OPEN') !== 'true') return [];
  const text = isRdbg ? ['rdbg', ...own].join(' ') : `RUBY_DEBUG_PORT=${variable('PORT')}`;
  const base = { runtime: 'ruby', evidence: 'flags', protocol: 'rdbg', text } as const;
  const port = options.get('--port') ?? variable('PORT');
  if (port === undefined)
    return [
      {
        ...base,
        verdict: 'not-debuggable',
        reason: 'Without --port rdbg listens on a Unix socket, which a port-forward does not reach.',
      },
    ];
  const runs = options.has('-n') || options.has('--nonstop') || variable('NONSTOP') === 'true';
  return [{ ...base, ...listening(listenOf(port), isRdbg && !runs, undefined) }];
}

/** The options of rdbg itself, up to the program. */
function optionsOf(words: readonly string[]): { options: ReadonlyMap<string, string>; own: readonly string[] } {
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const { name, value } = optionOf(words[at]!);
    if (name === '--' || !name.startsWith('-')) return { options, own: words.slice(0, at) };
    options.set(name, value ?? (VALUES.test(name) ? (words[++at] ?? '') : ''));
  }
  return { options, own: words };
}
