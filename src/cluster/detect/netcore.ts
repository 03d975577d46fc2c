import type { Find, Finding } from './finding.ts';

/** Words without which no rule of this file finds a debugger. */
export const netcoreTriggers = ['dotnet', 'DOTNET_', 'ASPNETCORE_URLS', 'vsdbg', 'install-netcore-debug-support'];

/** Variables with which Skaffold recognises .NET. */
const HINTS = ['DOTNET_RUNNING_IN_CONTAINER', 'ASPNETCORE_URLS', 'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT'];

/** .NET has no debug port: a debugger is started inside the container, so its files are what shows in a pod. */
export const findNetcore: Find = ({ commands, variables, mounts, inits }) => {
  const program = commands.find(({ runtime, direct }) => runtime === 'netcore' && direct);
  const other = commands.some(({ runtime }) => runtime !== undefined && runtime !== 'netcore');
  const variable = HINTS.find(name => variables.has(name));
  const found = program ? ['dotnet', ...program.words.slice(0, 1)].join(' ') : variable;
  const installed = inits.includes('install-netcore-debug-support') && mounts.includes('/dbg');
  const mount =
    mounts.find(path => /^\/(?:dbg\/netcore|vsdbg)\/?$/.test(path)) ??
    (found ? mounts.find(path => path === '/dbg') : undefined);
  const base: Pick<Finding, 'runtime' | 'verdict'> = { runtime: 'netcore', verdict: 'live' };
  if (installed)
    return [{ ...base, evidence: 'flags', text: 'install-netcore-debug-support', where: 'initContainers' }];
  if (mount) return [{ ...base, evidence: 'flags', text: mount, where: 'volumeMounts' }];
  if (!found || (other && !program)) return [];
  const reason = 'It can be debugged if the container has a debugger (vsdbg), which the pod does not show.';
  return [{ ...base, evidence: 'runtime-hint', text: found, where: program ? undefined : 'env', reason }];
};
