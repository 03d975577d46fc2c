import type { ContainerRef, Exec } from '../../core/contracts.ts';
import { UserError } from '../../core/errors.ts';
import { debuggerMissing, vsdbgRefuses } from './problems.ts';

/** A program that the .NET runtime runs in a container. */
export interface DotnetProcess {
  readonly pid: number;
  readonly command: readonly string[];
}

/** The debugger that is in a container, and the program that it is for. */
export interface NetcoreInside {
  readonly path: string;
  readonly pid: number;
}

/** What the search puts to work. */
export interface NetcoreSearch {
  readonly exec: Exec;
  readonly at: ContainerRef;
  /** Microsoft's debugger runs in Microsoft's VS Code only. */
  readonly isMicrosoftEditor: boolean;
  /** Decides between several programs; `undefined` when the user gives up. */
  pick(programs: readonly DotnetProcess[]): Promise<DotnetProcess | undefined>;
  readonly signal: AbortSignal;
}

/** Skaffold's (skaffold `pkg/skaffold/debug`, container-debug-support), that of Visual Studio's tools, and where people put them. */
const VSDBG = ['/dbg/netcore/vsdbg', '/vsdbg/vsdbg', '/remote_debugger/vsdbg'] as const;
const NETCOREDBG = [
  '/dbg/netcoredbg/netcoredbg',
  '/netcoredbg/netcoredbg',
  '/usr/local/bin/netcoredbg',
  '/usr/bin/netcoredbg',
] as const;

const RUN_LIMIT_MS = 20_000;

/** The program of a container whose processes cannot be listed. */
const FIRST_PROCESS = 1;

/**
 * For a shell without any other program but cat: says which of its arguments can be executed, and which processes have the
 * .NET runtime in their memory, whatever they are called (Linux `proc(5)`).
 */
export const LOOK = `
for file in "$@"; do [ -x "$file" ] && [ ! -d "$file" ] && echo "debugger $file"; done
for process in /proc/[0-9]*; do
  [ "$process" = "/proc/$$" ] && continue
  found=
  while read -r line; do case "$line" in *libcoreclr.so*) found=yes; break;; esac; done <"$process/maps"
  [ -n "$found" ] && echo "process \${process#/proc/} $(cat "$process/cmdline" | tr '\\0' '\\037')"
done 2>/dev/null
exit 0`;

/**
 * Finds debugger and program by what is in the container; changes nothing there. Throws `UserError`: no debugger, one that this
 * editor cannot use, no right to run programs there. `undefined` when the user has not picked a program.
 */
export async function netcoreInside(search: NetcoreSearch): Promise<NetcoreInside | undefined> {
  const { debuggers, programs } = (await byShell(search)) ?? (await withoutShell(search));
  const path = usable(debuggers, search);
  const [only, ...others] = programs;
  const program = others.length > 0 ? await search.pick(programs) : (only ?? { pid: FIRST_PROCESS, command: [] });
  return program && { path, pid: program.pid };
}

interface Found {
  readonly debuggers: readonly string[];
  readonly programs: readonly DotnetProcess[];
}

async function byShell({ exec, at, signal }: NetcoreSearch): Promise<Found | undefined> {
  const command = ['/bin/sh', '-c', LOOK, 'sh', ...VSDBG, ...NETCOREDBG];
  const result = await unlessMissing(() => exec.run(at, command, { signal, limitMs: RUN_LIMIT_MS }));
  if (result?.code !== 0) return undefined;
  const lines = result.stdout.split('\n');
  return {
    debuggers: lines.flatMap(line => (line.startsWith('debugger ') ? [line.slice('debugger '.length)] : [])),
    programs: lines.flatMap(programIn).filter(isProgram),
  };
}

/** An image without a shell: a debugger is there if it can be started. */
async function withoutShell({ exec, at, signal }: NetcoreSearch): Promise<Found> {
  const debuggers: string[] = [];
  for (const path of [...VSDBG, ...NETCOREDBG])
    if (await unlessMissing(() => exec.run(at, [path, '--version'], { signal, limitMs: RUN_LIMIT_MS })))
      debuggers.push(path);
  return { debuggers, programs: [] };
}

async function unlessMissing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UserError && error.code === 'exec-no-program') return undefined;
    throw error;
  }
}

function programIn(line: string): readonly DotnetProcess[] {
  const [, pid, command] = /^process (\d+) (.*)$/.exec(line) ?? [];
  return pid === undefined ? [] : [{ pid: Number(pid), command: command!.split('\x1f').filter(Boolean) }];
}

/** Not the SDK, which starts programs and builds them (`dotnet run`, `dotnet watch`, MSBuild, the compiler's server), and no debugger. */
function isProgram({ command: [program = '', ...args] }: DotnetProcess): boolean {
  if (/\/(?:vsdbg|vsdbg-ui|netcoredbg)$/.test(program)) return false;
  const tool = args.find(word => /(?:MSBuild|VBCSCompiler|dotnet-watch|dotnet)\.dll$/.test(word));
  const isSdk = /(?:^|\/)dotnet$/.test(program) && ['run', 'watch', 'build', 'msbuild', 'test'].includes(args[0] ?? '');
  return tool === undefined && !isSdk;
}

function usable(debuggers: readonly string[], { at, isMicrosoftEditor }: NetcoreSearch): string {
  const isOf = (paths: readonly string[]) => debuggers.find(path => paths.includes(path));
  const [vsdbg, netcoredbg] = [isOf(VSDBG), isOf(NETCOREDBG)];
  const path = isMicrosoftEditor ? (vsdbg ?? netcoredbg) : netcoredbg;
  if (path !== undefined) return path;
  if (vsdbg !== undefined) throw vsdbgRefuses(at, vsdbg);
  throw debuggerMissing(at, [VSDBG[0], NETCOREDBG[0]]);
}
