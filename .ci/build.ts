// `npm run build`: the bundles of the extension, from source, into out/.
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { inRoot, out, root } from './lib/paths.ts';
import { stubPlugin } from './stubs.ts';

/** `demo`, `guard` and `pipe` run as processes of their own; the others are loaded by `extension` on first need. */
export type BundleName =
  | 'extension'
  | ('cluster' | 'commands' | 'debuggers' | 'service' | 'session' | 'skaffold')
  | ('libraries' | 'grpc' | 'yaml' | 'debugadapter')
  | ('demo' | 'guard' | 'pipe');

const entries: Readonly<Record<BundleName, string>> = {
  extension: 'src/extension.ts',
  cluster: 'src/cluster/later.ts',
  commands: 'src/shell/commands.ts',
  debuggers: 'src/debuggers/later.ts',
  service: 'src/service/eventService.ts',
  session: 'src/session/adapter.ts',
  skaffold: 'src/skaffold/later.ts',
  libraries: 'src/cluster/libraries.ts',
  grpc: 'src/proto/libraries.ts',
  yaml: 'src/skaffold/libraries.ts',
  debugadapter: 'node_modules/@vscode/debugadapter/lib/main.js',
  demo: 'src/demo/main.ts',
  guard: 'src/skaffold/guard/main.ts',
  pipe: 'src/debuggers/netcore/pipe.ts',
};

/** All bundles; each is a file of its own in `out`. */
export const bundleNames = Object.keys(entries) as readonly BundleName[];

/** Our own parts that are loaded later. */
const laterParts = ['cluster', 'commands', 'debuggers', 'service', 'session', 'skaffold'] as const;

/** What is bundled beside the libraries, not with them. */
const parts: readonly BundleName[] = ['extension', ...laterParts];

const libraries = ['libraries', 'grpc', 'yaml', 'debugadapter'] as const;

/** Keeps what is needed later out of the bundle that activation loads: its import becomes a `require` of a bundle of its own. */
const laterApart: Plugin = {
  name: 'later-apart',
  setup(bundle) {
    bundle.onResolve({ filter: /^@vscode\/debugadapter$/ }, () => ({ path: './debugadapter.cjs', external: true }));
    // One copy of the API's names, of which there are hundreds: each file's own `import * as vscode` would make another.
    bundle.onResolve({ filter: /^vscode$/ }, ({ namespace, path }) =>
      namespace === 'once' ? { path, external: true } : { path, namespace: 'once' },
    );
    bundle.onLoad({ filter: /^/, namespace: 'once' }, () => ({ contents: `export * from 'vscode';` }));
    bundle.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const name = nameOf(resolve(resolveDir, path));
      return name && kind === 'dynamic-import' ? { path: `./${name}.cjs`, external: true } : undefined;
    });
  },
};

/** The bundle whose entry is this file. Throws when what is to be loaded later has none: it would be loaded at once. */
function nameOf(file: string): BundleName | undefined {
  const name = bundleNames.find(name => inRoot(entries[name]) === file);
  if (!name && ['later.ts', 'libraries.ts'].includes(basename(file)))
    throw new Error(`${file} is no entry of a bundle`);
  return name;
}

function optionsOf(name: BundleName, minify: boolean): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: [inRoot(entries[name])],
    outfile: join(out, `${name}.cjs`),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // `import()` becomes `require`, the one way of loading that every extension host has for CommonJS.
    supported: { 'dynamic-import': false },
    external: ['vscode'],
    plugins: parts.includes(name) ? [laterApart] : [stubPlugin],
    minify,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  };
}

/** What went into one bundle and how long each part of it is; writes no file. Throws esbuild's error. */
export async function inspectBundle(name: BundleName): Promise<Metafile> {
  const { metafile } = await build({ ...optionsOf(name, true), metafile: true, write: false });
  return metafile;
}

/** Bundles a program as the extension is bundled, beside the libraries, into a folder of `out`; returns its file. Throws esbuild's error. */
export async function buildProgram(source: string, folder: string): Promise<string> {
  const fileOf = (name: string) => join(out, folder, `${name}.cjs`);
  await build({ ...optionsOf('extension', true), entryPoints: [source], outfile: fileOf('program') });
  for (const name of [...laterParts, ...libraries]) await build({ ...optionsOf(name, true), outfile: fileOf(name) });
  return fileOf('program');
}

/** Writes the bundles whose source exists. Throws esbuild's error, which it has also printed. */
export async function buildAll({ minify }: { minify: boolean }): Promise<void> {
  const names = bundleNames.filter(name => existsSync(inRoot(entries[name])));
  await Promise.all(names.map(name => build(optionsOf(name, minify))));
}

if (import.meta.main) await buildAll({ minify: process.argv.includes('--minify') });
