import type { Command } from './commands.ts';
import { isUnknown } from './expand.ts';
import { type Find, type Finding, hintsOf, listening } from './finding.ts';
import { beforeDashes, listenOf, optionOf } from './options.ts';
import { isPythonLauncher, nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const pythonTriggers = ['debugpy', 'ptvsd', 'pydevd', 'python/launcher'];

/** Options of the interpreter whose value is the next word. */
const VALUES = /^(?:-[WX]|--check-hash-based-pycs)$/;
/** Options of the debuggers whose value is the next word. */
const DEBUGGER_VALUES =
  /^--(?:listen|connect|host|port|log-to|pid|adapter-access-token|parent-session-pid|file|mode|vm_type|client)$/;
/** Variables with which Skaffold recognises Python. */
const HINTS =
  /^(?:PYTHON_VERSION|PYTHON(?:VERBOSE|INSPECT|OPTIMIZE|NOUSERSITE|UNBUFFERED|PATH|USERBASE|WARNINGS|HOME|CASEOK|IOENCODING|HASHSEED|DONTWRITEBYTECODE))$/;

/** Python: debugpy, ptvsd and pydevd as module or script, and Skaffold's launcher. */
export const findPython: Find = start => [
  ...start.commands.flatMap(ofCommand),
  ...hintsOf('python', start, name => HINTS.test(name)),
];

function ofCommand({ program, runtime, words }: Command): Finding[] {
  if (isPythonLauncher(program)) return ofLauncher(beforeDashes(words));
  const name = nameOf(program);
  if (name === 'debugpy' || name === 'ptvsd') return server(name, words);
  if (/^(?:python|pypy)/.test(name) || (runtime === undefined && program === ''))
    return ofInterpreter(words, program !== '');
  return [];
}

function ofInterpreter(words: readonly string[], seen: boolean): Finding[] {
  const { target, rest } = splitAtTarget(words);
  const module = /^(?:debugpy|ptvsd|pydevd)/.exec(target)?.[0] ?? (target.endsWith('pydevd.py') ? 'pydevd' : undefined);
  if (module) return server(module, rest);
  const at = rest.findIndex((word, index) => word === '-m' && /^(?:debugpy|ptvsd)$/.test(rest[index + 1] ?? ''));
  const late = at >= 0 || rest.includes('-mdebugpy');
  if (!seen || !late) return [];
  const reason = 'It stands after the program, so Python does not read it: put it before the script.';
  const text = at >= 0 ? rest.slice(at, at + 2).join(' ') : '-mdebugpy';
  return [{ runtime: 'python', verdict: 'not-debuggable', evidence: 'flags', text, reason }];
}

/** The module or script that an interpreter runs; `-u`, `-Xfoo` and so on are passed over. */
function splitAtTarget(words: readonly string[]): { target: string; rest: readonly string[] } {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [, module] = /^-[A-Za-z]*m(.*)$/s.exec(word) ?? [];
    if (VALUES.test(word)) at++;
    else if (isUnknown(word) || /^-[WX]./.test(word) || word.startsWith('--')) continue;
    else if (module === '') return { target: words[at + 1] ?? '', rest: words.slice(at + 2) };
    else if (module !== undefined) return { target: module, rest: words.slice(at + 1) };
    else if (/^-[A-Za-z]*c/.test(word)) return { target: '', rest: words.slice(at + 2) };
    else if (!word.startsWith('-')) return { target: word, rest: words.slice(at + 1) };
  }
  return { target: '', rest: [] };
}

function server(module: string, words: readonly string[]): Finding[] {
  const { options, hasTarget } = debuggerOptions(words);
  const finding = module === 'debugpy' ? debugpy(options) : module === 'ptvsd' ? ptvsd(options) : pydevd(options);
  if (hasTarget || finding.verdict === 'crash' || finding.verdict === 'not-debuggable') return [finding];
  const reason = `The command has no program after the options of ${module}: it ends at once.`;
  return [{ ...finding, verdict: 'crash', reason }];
}

const WAITS = ['--wait-for-client', '--wait'];

function debugpy(options: ReadonlyMap<string, string | undefined>): Finding {
  const base = { runtime: 'python', evidence: 'flags', protocol: 'dap' } as const;
  if (options.has('--connect'))
    return { ...base, text: '-m debugpy --connect', verdict: 'not-debuggable', reason: connects };
  const listen = options.get('--listen');
  if (listen === undefined)
    return {
      ...base,
      text: '-m debugpy',
      verdict: 'crash',
      reason: 'debugpy needs --listen with a port: it refuses to start.',
    };
  const suspended = WAITS.some(name => options.has(name));
  return { ...base, text: `-m debugpy --listen ${listen}`, ...listening(listenOf(listen), suspended, undefined) };
}

/** The predecessor of debugpy; speaks the same protocol, port 5678 unless told. */
function ptvsd(options: ReadonlyMap<string, string | undefined>): Finding {
  const base = {
    runtime: 'python',
    evidence: 'flags',
    protocol: 'dap',
    text: '-m ptvsd',
  } as const;
  if (options.has('--client')) return { ...base, verdict: 'not-debuggable', reason: connects };
  const suspended = WAITS.some(name => options.has(name));
  return { ...base, ...listening(listenOf(options.get('--port') ?? '5678'), suspended, undefined) };
}

function pydevd(options: ReadonlyMap<string, string | undefined>): Finding {
  const { port } = listening(listenOf(options.get('--port') ?? ''), false, undefined);
  const base = {
    runtime: 'python',
    evidence: 'flags',
    protocol: 'pydevd',
    text: 'pydevd',
  } as const;
  return { ...base, verdict: 'not-debuggable', port, reason: pydevdReason };
}

function ofLauncher(words: readonly string[]): Finding[] {
  const { options } = debuggerOptions(words);
  const mode = options.get('--mode') ?? 'debugpy';
  const port = options.get('--port') ?? '';
  const text = `python/launcher --mode ${mode} --port ${port}`;
  if (mode.startsWith('pydevd')) return [{ ...pydevd(options), text }];
  return [{ ...ptvsd(options), text, ...listening(listenOf(port), options.has('--wait'), undefined) }];
}

/** Why the protocol of PyCharm's debugger is of no use to VS Code. */
export const pydevdReason =
  "pydevd speaks PyCharm's protocol, which VS Code's Python debugger does not: start debugpy instead (with Skaffold: --protocols=dap).";
const connects = 'It connects to a debugger instead of listening for one.';

/** The debugger's own options, up to the program that it runs. */
function debuggerOptions(words: readonly string[]) {
  const options = new Map<string, string | undefined>();
  for (let at = 0; at < words.length; at++) {
    const { name, value } = optionOf(words[at]!);
    if (name === '-m' || name === '-c' || isUnknown(name) || !name.startsWith('-')) return { options, hasTarget: true };
    if (name.startsWith('--configure-')) at++;
    else if (value === undefined && DEBUGGER_VALUES.test(name) && name !== '--client') options.set(name, words[++at]);
    else options.set(name, value);
    if (name === '--file' || name === '--pid') return { options, hasTarget: true };
  }
  return { options, hasTarget: false };
}
