import type { KnownRuntime } from '../../core/model.ts';

/** Programs that say by their name what runs. */
const programs: readonly (readonly [KnownRuntime | 'shell', RegExp])[] = [
  ['shell', /^(?:sh|ash|bash|dash|ksh|zsh|su)$/],
  ['jvm', /^(?:java|kc\.sh|standalone\.sh|catalina\.sh|mvnw?|gradlew?)$/],
  ['nodejs', /^(?:node|nodejs|nodemon|ts-node-dev|tsnd|tsx|nest|next|npm|yarn|pnpm)$/],
  ['deno', /^deno$/],
  ['bun', /^bunx?$/],
  ['python', /^(?:python[\d.]*|pypy[\d.]*|debugpy|ptvsd|flask|uvicorn|gunicorn|celery|django-admin|manage\.py)$/],
  ['go', /^dlv$/],
  ['netcore', /^dotnet$/],
  ['ruby', /^(?:ruby[\d.]*|rdbg|rails|rake|puma|bundle|bundler)$/],
  ['native', /^(?:gdbserver|lldb-server)$/],
];

/** A program's name without its folder. */
export const nameOf = (path: string): string => path.replace(/^.*[/\\]/s, '').replace(/\.exe$/i, '');

/** Skaffold's launcher for Python (container-debug-support, `python/helper-image/launcher`). */
export const isPythonLauncher = (path: string): boolean => /\bpython\/launcher$/.test(path);

/** What a program's path says about the runtime. */
export const runtimeOf = (path: string): KnownRuntime | 'shell' | undefined =>
  isPythonLauncher(path) ? 'python' : programs.find(([, name]) => name.test(nameOf(path)))?.[0];
