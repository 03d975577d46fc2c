import type { Command } from './commands.ts';
import { isUnknown } from './expand.ts';
import { type Find, type Finding, hintsOf, listening, type Start } from './finding.ts';
import { beforeDashes, listenOf, optionOf, splitOptions } from './options.ts';
import { nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const nodejsTriggers = ['--inspect', '--debug', 'nest start', '"nest"'];

const PACKAGE_MANAGERS = /^(?:npm|yarn|pnpm)$/;
/** Start Node themselves, so that they take the port first when `NODE_OPTIONS` reaches them. */
const LAUNCHERS = /^(?:npm|yarn|pnpm|nodemon|ts-node-dev|tsnd|tsx|nest|next)$/;
/** Options whose value is the next word. */
const NODE_VALUES =
  /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--inspect-port|--debug-port|--title|--env-file|--tsconfig|--icu-data-dir|--openssl-config)$/;
const WATCHER_VALUES =
  /^(?:-w|--watch|-e|--ext|-i|--ignore|-d|--delay|-s|--signal|-x|--exec|--config|--cwd|-P|--project|-r|--require|--ignore-watch|-C|--compiler|-O|--compiler-options|--debug-port|--inspect-port)$/;
/** Code that stands on the command line, or a mode that needs no script. */
const INSTEAD_OF_SCRIPT = /^(?:-e|--eval|-p|--print|-pe|--test|--run|-i|--interactive|-v|--version|-)$/;
const HINTS = ['NODE_VERSION', 'NODEJS_VERSION', 'NODE_ENV', 'NODE_OPTIONS'];

/** Node: `--inspect` and its kin in command lines of Node and of its launchers, and in `NODE_OPTIONS`. */
export const findNode: Find = start => [
  ...start.commands.flatMap(command => ofCommand(command, start)),
  ...hintsOf('nodejs', start, name => HINTS.includes(name)),
];

function ofCommand(command: Command, start: Start): Finding[] {
  const { runtime, program, words } = command;
  if (runtime !== undefined && runtime !== 'nodejs') return [];
  const name = nameOf(program);
  const variable = ['NODE_OPTIONS', 'npm_config_node_options'].map(key => command.variables.get(key) ?? '').join(' ');
  const fromVariables = flagsIn(splitOptions(variable));
  if (name === 'nest') return ofNest(words, fromVariables);
  if (PACKAGE_MANAGERS.test(name)) return ofPackageManager(name, words, fromVariables);
  const unseenNode = program === '' && (words[0] ?? '').startsWith('--inspect');
  if (runtime !== 'nodejs' && !unseenNode) return inspected(fromVariables, undefined);
  const { options, rest, hasScript } = splitAtScript(name, words);
  const flags = flagsIn(options);
  const all = [...fromVariables, ...flags];
  const found = inspected(all, fromVariables.length > 0 && LAUNCHERS.test(name) ? stolen(name) : undefined);
  if (found.length === 0) return misplaced(rest);
  const needsScript = flags.length > 0 && /^node(?:js)?$/.test(name) && !start.stdin;
  return needsScript ? found.map(finding => withScript(finding, options, rest, hasScript)) : found;
}

/** An option of the inspector. */
export interface Flag {
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
}

/** The inspector's options among a program's, as Node reads them (`_` counts as `-`). */
export function flagsIn(options: readonly string[]): Flag[] {
  return options.flatMap((text, at) => {
    const { name: written, value } = optionOf(text);
    const name = written.replaceAll('_', '-');
    if (/^--(?:inspect|inspect-brk|inspect-wait|debug|debug-brk)$/.test(name)) return [{ text, name, value }];
    if (!/^--(?:inspect|debug)-port$/.test(name)) return [];
    return [{ text, name, value: value ?? options[at + 1] }];
  });
}

/** What Node does with these flags: the last address wins, a host alone means port 9229, one waiting flag suffices. */
function inspected(flags: readonly Flag[], reason: string | undefined): Finding[] {
  const legacy = flags.find(({ name }) => /^--debug(?:-brk)?$/.test(name));
  const starts = flags.filter(({ name }) => name.startsWith('--inspect') && name !== '--inspect-port');
  if (legacy) {
    const why = `${legacy.name} is gone: Node 8 and later refuse to start with it, and older ones speak a protocol that VS Code does not. Use --inspect.`;
    return [{ runtime: 'nodejs', evidence: 'flags', text: legacy.text, verdict: 'crash', reason: why }];
  }
  if (starts.length === 0) return [];
  const address = flags.findLast(({ value }) => value !== undefined);
  const suspended = starts.some(({ name }) => name !== '--inspect');
  const last = starts.at(-1)!;
  const base = { runtime: 'nodejs', evidence: 'flags', text: last.text, protocol: 'devtools' } as const;
  if (address?.value === '')
    return [{ ...base, verdict: 'crash', reason: `${address.text} has no value: Node refuses to start.` }];
  const where = address ? listenOf(address.value!) : ({ kind: 'host' } as const);
  if (where.kind === 'port' && where.port < 1024)
    return [{ ...base, verdict: 'crash', reason: 'Node refuses ports below 1024 for --inspect.' }];
  const result = listening(where, suspended, 9229);
  const twice =
    starts.length > 1
      ? `${starts.map(({ text }) => text).join(' and ')}: only one address counts, the last.`
      : undefined;
  return [{ ...base, ...result, reason: result.reason ?? twice ?? reason }];
}

const stolen = (name: string) =>
  `NODE_OPTIONS reaches ${name} too, which may take the port before the program does: give --inspect to the program alone.`;

/** `nest start --debug [[host:]port]` (Nest CLI). */
function ofNest(words: readonly string[], fromVariables: readonly Flag[]): Finding[] {
  const at = words.findIndex(word => /^(?:-d|--debug)(?:=|$)/.test(word));
  if (at < 0) return inspected(fromVariables, fromVariables.length > 0 ? stolen('nest') : undefined);
  const written = optionOf(words[at]!).value ?? words[at + 1];
  const value = written !== undefined && /^(?:\S*:)?\d+$|^[\d.]+$/.test(written) ? written : undefined;
  const text = value ? `--debug ${value}` : '--debug';
  const base = { runtime: 'nodejs', evidence: 'flags', protocol: 'devtools', text } as const;
  return [{ ...base, ...listening(value ? listenOf(value) : { kind: 'host' }, false, 9229) }];
}

/** `npm run x --node-options=…`; what follows `--` (or, for yarn and pnpm, the script's name) goes to the script. */
function ofPackageManager(name: string, words: readonly string[], fromVariables: readonly Flag[]): Finding[] {
  const own = name === 'npm' ? beforeDashes(words) : words;
  const at = own.findIndex(word => optionOf(word).name === '--node-options');
  const given = at < 0 ? '' : own[at]!.split('=').slice(1).join('=') || own[at + 1] || '';
  const options = flagsIn(splitOptions(given));
  if (options.length > 0) return inspected(options, undefined);
  const passed = flagsIn(name === 'npm' ? words.slice(own.length) : words);
  const reason = `Whether it reaches Node depends on the script in package.json, which the pod does not show.`;
  const found = [...inspected(passed, reason), ...inspected(fromVariables, stolen(name))];
  if (found.length > 0) return found;
  return [
    {
      runtime: 'nodejs',
      evidence: 'runtime-hint',
      verdict: 'port-unknown',
      text: [name, ...words].join(' '),
      reason: `Whether ${name} starts Node with --inspect depends on package.json, which the pod does not show.`,
    },
  ];
}

/** The options before the script, and what follows them. */
export function splitAtScript(name: string, words: readonly string[]) {
  const values = /^node(?:js)?$/.test(name) || name === 'tsx' ? NODE_VALUES : WATCHER_VALUES;
  let at = /^(?:deno|next|tsx)$/.test(name) && /^[a-z]+$/.test(words[0] ?? '') ? 1 : 0;
  let hasScript = false;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') break;
    if (isUnknown(word) || INSTEAD_OF_SCRIPT.test(word)) hasScript = true;
    else if (!word.startsWith('-')) break;
    if (values.test(word)) at++;
  }
  const rest = words.slice(at).filter((word, index) => index > 0 || word !== '--');
  return { options: words.slice(0, at), rest, hasScript: hasScript || rest.length > 0 };
}

function withScript(
  finding: Finding,
  options: readonly string[],
  rest: readonly string[],
  hasScript: boolean,
): Finding {
  if (finding.verdict === 'crash') return finding;
  if (!hasScript)
    return {
      ...finding,
      verdict: 'crash',
      reason:
        "The command has no program after the debug flag, so Node ends at once. A command in the pod replaces the CMD of the image too: put the program into args, or into the image's ENTRYPOINT.",
    };
  const split = /^--inspect(?:-brk|-wait)?$/.test(options.at(-1) ?? '') && /^(?:\S*:)?\d+$/.test(rest[0] ?? '');
  if (!split) return finding;
  return {
    ...finding,
    verdict: 'crash',
    reason: `Node takes ${rest[0]} for the program: write ${options.at(-1)}=${rest[0]}.`,
  };
}

function misplaced(rest: readonly string[]): Finding[] {
  const flag = flagsIn(rest.slice(1)).find(({ name }) => /^--inspect(?:-brk|-wait)?$/.test(name));
  if (!flag) return [];
  const reason = 'It stands after the program, so Node does not read it: put it before the script.';
  return [{ runtime: 'nodejs', verdict: 'not-debuggable', evidence: 'flags', text: flag.text, reason }];
}
