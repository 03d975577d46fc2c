import type { Fields, LocalAddress, PathMap, PathPair, Recipe } from '../core/contracts.ts';
import type { KnownRuntime } from '../core/model.ts';
import type * as Later from './later.ts';
import { bunPathUnknown } from './problems.ts';

/** What speaks V8's inspector. */
const inspected: Omit<Recipe, 'runtime'> = {
  type: 'node',
  label: 'JavaScript debugger',
  extensions: [],
  ports: ['devtools'],
  ready: later('inspectorReady'),
  attach: nodeFields,
};

/** How each runtime is attached; a new runtime does not compile until it has a row. */
export const recipeTable: Readonly<Record<KnownRuntime, Recipe>> = Object.freeze({
  jvm: Object.freeze<Recipe>({
    runtime: 'jvm',
    type: 'java',
    label: 'Java debugger',
    extensions: ['vscjava.vscode-java-debug', 'redhat.java'],
    ports: ['jdwp'],
    ready: later('jdwpReady'),
    // The debugger walks over `sourcePaths` even when there are none (java-debug `AttachRequestHandler`).
    attach: ({ host, port }, { local, sourceRoots, project }) => ({
      hostName: host,
      port,
      timeout: 30_000,
      sourcePaths: sourceRoots ?? (local === undefined ? [] : [local]),
      ...(project === undefined ? {} : { projectName: project }),
    }),
  }),
  nodejs: Object.freeze<Recipe>({ runtime: 'nodejs', ...inspected }),
  deno: Object.freeze<Recipe>({ runtime: 'deno', ...inspected }),
  bun: Object.freeze<Recipe>({
    runtime: 'bun',
    type: 'bun',
    label: 'Bun debugger',
    extensions: ['oven.bun-vscode'],
    ports: ['devtools'],
    ready: later('bunReady'),
    attach: ({ host, port }, paths, { path }) => {
      if (path === undefined) throw bunPathUnknown();
      return { url: `ws://${host}:${port}${path}`, ...mapped(paths, roots) };
    },
  }),
  python: Object.freeze<Recipe>({
    runtime: 'python',
    type: 'debugpy',
    label: 'Python debugger',
    extensions: ['ms-python.debugpy'],
    ports: ['dap', 'debugpy', 'ptvsd'],
    ready: later('debugpyReady'),
    // `connect`, since `host` and `port` make some versions wait for a server (microsoft/debugpy#247).
    attach: ({ host, port }, paths) => ({
      connect: { host, port },
      ...mapped(paths, () => ({ pathMappings: pairsOf(paths).map(({ local, remote }) => roots(local, remote)) })),
    }),
  }),
  go: Object.freeze<Recipe>({
    runtime: 'go',
    type: 'go',
    label: 'Go debugger',
    extensions: ['golang.go'],
    ports: ['dlv'],
    ready: later('dlvReady'),
    release: async (forward, signal) => (await import('./later.ts')).releaseDlv(forward, signal),
    // Without `debugAdapter` the outcome depends on the dlv that this machine has.
    attach: ({ host, port }, paths) => ({ mode: 'remote', debugAdapter: 'dlv-dap', host, port, ...goPaths(paths) }),
  }),
  netcore: Object.freeze<Recipe>({
    runtime: 'netcore',
    type: 'coreclr',
    label: '.NET debugger',
    extensions: ['ms-dotnettools.csharp'],
    ports: [],
    isInside: true,
    // Its debugger is looked for before, and says itself what it finds.
    ready: async () => ({}),
    attach: (_at, paths) => ({
      justMyCode: true,
      ...mapped(paths, (local, remote) => ({ sourceFileMap: { [remote]: local } })),
    }),
  }),
  ruby: Object.freeze<Recipe>({
    runtime: 'ruby',
    type: 'rdbg',
    label: 'Ruby debugger (rdbg)',
    extensions: ['KoichiSasada.vscode-rdbg'],
    ports: ['rdbg'],
    ready: later('rdbgReady'),
    attach: ({ host, port }, paths) => ({
      debugPort: `${host}:${port}`,
      ...mapped(paths, (local, remote) => ({ localfsMap: `${remote}:${local}` })),
    }),
  }),
  native: Object.freeze<Recipe>({
    runtime: 'native',
    type: 'cppdbg',
    label: 'C/C++ debugger',
    extensions: ['ms-vscode.cpptools'],
    ports: ['gdbserver'],
    ready: later('gdbserverReady'),
    required: ['program'],
    // Attached over the extended protocol: a session that is launched ends the program when it ends.
    attach: ({ host, port }, paths) => ({
      MIMode: 'gdb',
      miDebuggerServerAddress: `${host}:${port}`,
      useExtendedRemote: true,
      ...mapped(paths, () => ({ sourceFileMap: byRemote(paths) })),
    }),
  }),
});

/** Other debuggers for a runtime, taken when their debug type is there and that of the table is not. */
export const otherDebuggers: Readonly<Partial<Record<KnownRuntime, readonly Recipe[]>>> = Object.freeze({
  native: Object.freeze([
    Object.freeze<Recipe>({
      ...recipeTable.native,
      type: 'lldb',
      label: 'LLDB debugger',
      extensions: ['vadimcn.vscode-lldb'],
      attach: ({ host, port }, paths) => ({
        processCreateCommands: [`gdb-remote ${host}:${port}`],
        ...mapped(paths, () => ({ sourceMap: byRemote(paths) })),
      }),
    }),
  ]),
});

/** Readiness of this name, which is loaded when it is asked for. */
export function later(name: Extract<keyof typeof Later, `${string}Ready`>): Recipe['ready'] {
  return async (forward, options) => (await import('./later.ts'))[name](forward, options);
}

/** Fields that map paths, where both sides are known. */
function mapped({ local, remote }: PathMap, fields: (local: string, remote: string) => Fields): Fields {
  return local === undefined || remote === undefined ? {} : fields(local, remote);
}

/** All directories that are mapped; debuggers take the first that fits, so the deeper ones come first. */
function pairsOf({ local, remote, more = [] }: PathMap): readonly PathPair[] {
  const first = local === undefined || remote === undefined ? [] : [{ local, remote }];
  return [...first, ...more].toSorted((a, b) => b.remote.length - a.remote.length);
}

const byRemote = (paths: PathMap) => Object.fromEntries(pairsOf(paths).map(({ local, remote }) => [remote, local]));

function roots(local: string, remote: string): Fields {
  return { localRoot: local, remoteRoot: remote };
}

/** Fields of js-debug, which speaks to V8's inspector of Node and Deno. */
function nodeFields({ host, port }: LocalAddress, paths: PathMap) {
  return {
    address: host,
    port,
    timeout: 10_000,
    restart: false,
    // A program that waits (`--inspect-brk`) goes on to the first breakpoint, not to a stop before its first line.
    continueOnAttach: true,
    // Both reach beyond the container: processes of this machine, and a local path in the program's NODE_OPTIONS.
    attachExistingChildren: false,
    autoAttachChildProcesses: false,
    ...nodePaths(paths),
  };
}

/**
 * Source maps are used wherever a script comes from: js-debug's default takes those of the workspace alone, and a compiled
 * file may exist in the container only. (Its map must then be inline: js-debug reads map files from this machine.)
 * `outFiles` only says where compiled files are on this machine, if there are any.
 */
function nodePaths(paths: PathMap): Fields {
  return {
    sourceMaps: true,
    resolveSourceMapLocations: ['**', '!**/node_modules/**'],
    outFiles: [],
    ...mapped(paths, (local, remote) => ({
      ...roots(local, remote),
      outFiles: [`${local.replaceAll('\\', '/').replace(/\/$/, '')}/**/*.(m|c|)js`, '!**/node_modules/**'],
    })),
  };
}

/**
 * A Go program remembers the directory of its build, which nothing outside tells; dlv finds it by the names of the packages
 * (Delve `service/debugger/debugger.go`, `guessSubstitutePath`), but only when it is given no mapping.
 */
function goPaths({ local, remote, module, builtIn }: PathMap) {
  if (local === undefined) return {};
  if (builtIn !== undefined) return { substitutePath: [{ from: local, to: builtIn }] };
  if (module)
    return {
      guessSubstitutePath: {
        ImportPathOfMainPackage: module.main ?? '',
        ClientGOROOT: '',
        ClientModuleDirectories: { ...module.others, [module.path]: local },
      },
    };
  return remote === undefined ? {} : { substitutePath: [{ from: local, to: remote }] };
}
