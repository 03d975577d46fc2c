// `npm run build`: the bundles of the extension, from source, into out/.
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inRoot, out, root } from './lib/paths.ts';
import { stubPlugin } from './stubs.ts';

/** `demo` and `guard` run as processes of their own; the others are loaded by `extension` on first need. */
export type BundleName =
  'extension' | 'service' | 'session' | 'libraries' | 'grpc' | 'skaffold' | 'debugadapter' | 'demo' | 'guard';

const entries: Readonly<Record<BundleName, string>> = {
  extension: 'src/extension.ts',
  service: 'src/service/eventService.ts',
  session: 'src/session/adapter.ts',
  libraries: 'src/cluster/libraries.ts',
  grpc: 'src/proto/libraries.ts',
  skaffold: 'src/skaffold/libraries.ts',
  debugadapter: 'node_modules/@vscode/debugadapter/lib/main.js',
  demo: 'src/demo/main.ts',
  guard: 'src/skaffold/guard/main.ts',
};

/** Our own parts that are bundled beside the libraries, not with them. */
const parts: readonly BundleName[] = ['extension', 'service', 'session'];

/** Keeps what is needed later out of the bundle that activation loads: its import becomes a `require` of a bundle of its own. */
const laterApart: Plugin = {
  name: 'later-apart',
  setup(bundle) {
    bundle.onResolve({ filter: /^@vscode\/debugadapter$/ }, () => ({ path: './debugadapter.cjs', external: true }));
    bundle.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const name = nameOf(join(resolveDir, path));
      return name && kind === 'dynamic-import' ? { path: `./${name}.cjs`, external: true } : undefined;
    });
  },
};

/** The bundle whose entry is this file. Throws when libraries have none: they would be loaded at once. */
function nameOf(file: string): BundleName | undefined {
  const names = Object.keys(entries) as BundleName[];
  const name = names.find(name => inRoot(entries[name]) === file);
  if (!name && basename(file) === 'libraries.ts') throw new Error(`${file} is no entry of a bundle`);
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
  for (const name of ['libraries', 'grpc', 'skaffold', 'debugadapter'] as const)
    await build({ ...optionsOf(name, true), outfile: fileOf(name) });
  return fileOf('program');
}

/** Writes the bundles whose source exists. Throws esbuild's error, which it has also printed. */
export async function buildAll({ minify }: { minify: boolean }): Promise<void> {
  const names = (Object.keys(entries) as BundleName[]).filter(name => existsSync(inRoot(entries[name])));
  await Promise.all(names.map(name => build(optionsOf(name, minify))));
}

if (import.meta.main) await buildAll({ minify: process.argv.includes('--minify') });
