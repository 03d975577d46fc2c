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
  /^--(?:listen|connect|host|port|log-to|pid|adapter-access-token|parent-session-pid|mode|vm_type)$/;
/** Variables with which Skaffold recognises Python. */
const HINTS =
  /^(?:PYTHON_VERSION|PYTHON(?:VERBOSE|INSPECT|OPTIMIZE|NOUSERSITE|UNBUFFERED|PATH|USERBASE|WARNINGS|HOME|CASEOK|IOENCODING|HASHSEED|DONTWRITEBYTECODE))$/;

/** Python: debugpy, ptvsd and pydevd as module or script, and Skaffold's launcher. */
export const findPython: Find = start => [
  ...start.commands.flatMap(ofCommand),
  ...hintsOf('python', start, name => HINTS.test(name)),
];

function ofCommand({ program, runtime, words }: Command): Finding[] {
  const name = nameOf(program);
  if (isPythonLauncher(program)) return [ofLauncher([program, ...beforeDashes(words)].join(' '), beforeDashes(words))];
  if (name === 'debugpy' || name === 'ptvsd') return [ofServer(name, program, words)];
  if (/^(?:python|pypy)/.test(name) || (runtime === undefined && program === ''))
    return ofInterpreter(words, program !== '');
  return [];
}

function ofInterpreter(words: readonly string[], seen: boolean): Finding[] {
  const { target, at, next } = targetIn(words);
  const module = /^(?:debugpy|ptvsd|pydevd)/.exec(target)?.[0] ?? (target.endsWith('pydevd.py') ? 'pydevd' : undefined);
  if (module) return [ofServer(module, words.slice(at, next).join(' '), words.slice(next))];
  const late = /(?:^| )(-m ?(?:debugpy|ptvsd))(?: |$)/.exec(words.slice(next).join(' '))?.[1];
  if (!seen || late === undefined) return [];
  const reason = 'It stands after the program, so Python does not read it: put it before the script.';
  return [{ runtime: 'python', verdict: 'not-debuggable', evidence: 'flags', text: late, reason }];
}

/** The module or script that an interpreter runs, where it is named, and where its own words begin. */
function targetIn(words: readonly string[]): { target: string; at: number; next: number } {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [, module] = /^-[A-Za-z]*m(.*)$/s.exec(word) ?? [];
    if (VALUES.test(word)) at++;
    else if (isUnknown(word) || /^-[WX]./.test(word) || word.startsWith('--')) continue;
    else if (module === '') return { target: words[at + 1] ?? '', at, next: at + 2 };
    else if (module !== undefined) return { target: module, at, next: at + 1 };
    else if (/^-[A-Za-z]*c/.test(word)) return { target: '', at, next: at + 2 };
    else if (!word.startsWith('-')) return { target: word, at, next: at + 1 };
  }
  return { target: '', at: words.length, next: words.length };
}

function ofServer(module: string, start: string, words: readonly string[]): Finding {
  const { options, own, hasTarget } = debuggerOptions(words);
  const text = [start, ...own].join(' ');
  const finding =
    module === 'debugpy' ? debugpy(text, options) : module === 'ptvsd' ? ptvsd(text, options) : pydevd(text, options);
  if (hasTarget || finding.verdict === 'crash' || finding.verdict === 'not-debuggable') return finding;
  return {
    ...finding,
    verdict: 'crash',
    reason: `The command has no program after the options of ${module}: it ends at once.`,
  };
}

type Options = ReadonlyMap<string, string | undefined>;

const waits = (options: Options) => options.has('--wait-for-client') || options.has('--wait');
const dap = (text: string) => ({ runtime: 'python', evidence: 'flags', protocol: 'dap', text }) as const;

function debugpy(text: string, options: Options): Finding {
  if (options.has('--connect')) return { ...dap(text), verdict: 'not-debuggable', reason: connects };
  const listen = options.get('--listen');
  if (listen === undefined)
    return { ...dap(text), verdict: 'crash', reason: 'debugpy needs --listen with a port: it refuses to start.' };
  return { ...dap(text), ...listening(listenOf(listen), waits(options), undefined) };
}

/** The predecessor of debugpy; speaks the same protocol, port 5678 unless told. */
function ptvsd(text: string, options: Options): Finding {
  if (options.has('--client')) return { ...dap(text), verdict: 'not-debuggable', reason: connects };
  return { ...dap(text), ...listening(listenOf(options.get('--port') ?? '5678'), waits(options), undefined) };
}

function pydevd(text: string, options: Options): Finding {
  const { port } = listening(listenOf(options.get('--port') ?? ''), false, undefined);
  return { ...dap(text), protocol: 'pydevd', verdict: 'not-debuggable', port, reason: pydevdReason };
}

function ofLauncher(text: string, words: readonly string[]): Finding {
  const { options } = debuggerOptions(words);
  if (options.get('--mode')?.startsWith('pydevd')) return pydevd(text, options);
  return { ...dap(text), ...listening(listenOf(options.get('--port') ?? '5678'), waits(options), undefined) };
}

/** Why the protocol of PyCharm's debugger is of no use to VS Code. */
export const pydevdReason =
  "pydevd speaks PyCharm's protocol, which VS Code's Python debugger does not: start debugpy instead (with Skaffold: --protocols=dap).";
const connects = 'It connects to a debugger instead of listening for one.';

/** The debugger's own options, up to the program that it runs. */
function debuggerOptions(words: readonly string[]): { options: Options; own: readonly string[]; hasTarget: boolean } {
  const options = new Map<string, string | undefined>();
  for (let at = 0; at < words.length; at++) {
    const { name, value } = optionOf(words[at]!);
    const own = words.slice(0, at);
    if (name === '-m' || name === '-c' || isUnknown(name) || !name.startsWith('-'))
      return { options, own, hasTarget: true };
    if (name === '--file' || name === '--pid') return { options, own, hasTarget: true };
    if (name.startsWith('--configure-')) at++;
    else options.set(name, value ?? (DEBUGGER_VALUES.test(name) ? words[++at] : undefined));
  }
  return { options, own: words, hasTarget: false };
}
