import type { PathMap, Recipe, Recipes } from '../core/contracts.ts';
import type { Container, KnownRuntime } from '../core/model.ts';
import { releaseDlv } from './delve.ts';
import { noPortDebugger, noRuntime, pydevdUnsupported, unknownRuntime } from './problems.ts';
import { debugpyReady } from './readiness/debugpy.ts';
import { dlvReady } from './readiness/dlv.ts';
import { inspectorReady } from './readiness/inspector.ts';
import { jdwpReady } from './readiness/jdwp.ts';

type PortRuntime = Exclude<KnownRuntime, 'netcore'>;

/** How each runtime is attached; a new runtime does not compile until it has a row. */
export const recipeTable: Readonly<Record<PortRuntime, Recipe>> = Object.freeze({
  jvm: Object.freeze<Recipe>({
    runtime: 'jvm',
    type: 'java',
    label: 'Java debugger',
    extensions: ['vscjava.vscode-java-debug', 'redhat.java'],
    ports: ['jdwp'],
    ready: (forward, { suspended, signal }) => jdwpReady(forward, suspended, signal),
    // The debugger walks over `sourcePaths` even when there are none (java-debug `AttachRequestHandler`).
    attach: ({ host, port }, { local }) => ({
      hostName: host,
      port,
      timeout: 30_000,
      sourcePaths: local === undefined ? [] : [local],
    }),
  }),
  nodejs: Object.freeze<Recipe>({
    runtime: 'nodejs',
    type: 'node',
    label: 'JavaScript debugger',
    extensions: [],
    ports: ['devtools'],
    ready: (forward, { signal }) => inspectorReady(forward, signal),
    attach: ({ host, port }, paths) => ({
      address: host,
      port,
      timeout: 10_000,
      restart: false,
      // Both reach beyond the container: processes of this machine, and a local path in the program's NODE_OPTIONS.
      attachExistingChildren: false,
      autoAttachChildProcesses: false,
      ...nodePaths(paths),
    }),
  }),
  python: Object.freeze<Recipe>({
    runtime: 'python',
    type: 'debugpy',
    label: 'Python debugger',
    extensions: ['ms-python.debugpy'],
    ports: ['dap', 'debugpy', 'ptvsd'],
    ready: (forward, { suspended, signal }) => debugpyReady(forward, suspended, signal),
    // `connect`, since `host` and `port` make some versions wait for a server (microsoft/debugpy#247).
    attach: ({ host, port }, { local, remote }) => ({
      connect: { host, port },
      ...(local === undefined || remote === undefined
        ? {}
        : { pathMappings: [{ localRoot: local, remoteRoot: remote }] }),
    }),
  }),
  go: Object.freeze<Recipe>({
    runtime: 'go',
    type: 'go',
    label: 'Go debugger',
    extensions: ['golang.go'],
    ports: ['dlv'],
    ready: (forward, { takesMany = false, signal }) => dlvReady(forward, takesMany, signal),
    release: releaseDlv,
    // Without `debugAdapter` the outcome depends on the dlv that this machine has.
    attach: ({ host, port }, paths) => ({ mode: 'remote', debugAdapter: 'dlv-dap', host, port, ...goPaths(paths) }),
  }),
});

/** The debuggers that Breakpod knows. */
export const recipes: Recipes = Object.freeze({ recipeFor });

/** The recipe of a container. Throws `UserError` that says why there is none and what to do. */
function recipeFor({ container, detection }: Container): Recipe {
  const { runtime, ports } = detection;
  if (runtime === undefined) throw noRuntime(container, detection.reason);
  if (runtime === 'netcore') throw noPortDebugger(container);
  const recipe = Object.hasOwn(recipeTable, runtime) ? recipeTable[runtime as PortRuntime] : undefined;
  if (!recipe) throw unknownRuntime(container, runtime);
  if ('pydevd' in ports && !recipe.ports.some(name => name in ports)) throw pydevdUnsupported(container);
  return recipe;
}

/**
 * Source maps are used wherever a script comes from: js-debug's default takes those of the workspace alone, and a compiled
 * file may exist in the container only. (Its map must then be inline: js-debug reads map files from this machine.)
 * `outFiles` only says where compiled files are on this machine, if there are any.
 */
function nodePaths({ local, remote }: PathMap) {
  const maps = { sourceMaps: true, resolveSourceMapLocations: ['**', '!**/node_modules/**'] };
  if (local === undefined || remote === undefined) return { ...maps, outFiles: [] };
  const slashed = local.replaceAll('\\', '/').replace(/\/$/, '');
  return {
    ...maps,
    localRoot: local,
    remoteRoot: remote,
    outFiles: [`${slashed}/**/*.(m|c|)js`, '!**/node_modules/**'],
  };
}

/**
 * A Go program remembers the directory of its build, which nothing outside tells; dlv finds it by the names of the packages
 * (Delve `service/debugger/debugger.go`, `guessSubstitutePath`), but only when it is given no mapping.
 */
function goPaths({ local, remote, module }: PathMap) {
  if (local === undefined) return {};
  if (module)
    return {
      guessSubstitutePath: {
        ImportPathOfMainPackage: module.main ?? '',
        ClientGOROOT: '',
        ClientModuleDirectories: { [module.path]: local },
      },
    };
  return remote === undefined ? {} : { substitutePath: [{ from: local, to: remote }] };
}
