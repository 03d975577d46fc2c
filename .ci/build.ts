// `npm run build`: the bundles of the extension, from source, into out/.
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, out, root } from './lib/paths.ts';
import { stubPlugin } from './stubs.ts';

/** `demo` runs as a process of its own; `libraries` is loaded by `extension` on first need. */
export type BundleName = 'extension' | 'libraries' | 'demo';

const entries: Readonly<Record<BundleName, string>> = {
  extension: 'src/extension.ts',
  libraries: 'src/cluster/libraries.ts',
  demo: 'src/demo/main.ts',
};

/** Keeps third-party code out of the bundle that activation loads: its import becomes a `require` of the second bundle. */
const librariesApart: Plugin = {
  name: 'libraries-apart',
  setup(bundle) {
    bundle.onResolve({ filter: /\/libraries\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './libraries.cjs', external: true } : undefined,
    );
  },
};

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
    plugins: name === 'extension' ? [librariesApart] : [stubPlugin],
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
  await build({ ...optionsOf('libraries', true), outfile: fileOf('libraries') });
  return fileOf('program');
}

/** Writes the bundles whose source exists. Throws esbuild's error, which it has also printed. */
export async function buildAll({ minify }: { minify: boolean }): Promise<void> {
  const names = (Object.keys(entries) as BundleName[]).filter(name => existsSync(inRoot(entries[name])));
  await Promise.all(names.map(name => build(optionsOf(name, minify))));
}

if (import.meta.main) await buildAll({ minify: process.argv.includes('--minify') });
