import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { WorkspaceFiles } from '../../core/contracts.ts';
import { parseJsonc } from '../../lib/jsonc.ts';
import { isMapping, type Mapping, mappingAt, textAt } from '../../lib/mapping.ts';

/** How TypeScript is compiled, by one tsconfig.json. Paths are absolute. */
export type Compiler = Readonly<{
  file: string;
  /** Absent: what is compiled lies beside its source. */
  outDir?: string;
  /** What the paths below `outDir` begin at; where none is written, both are tried that people have. */
  roots: readonly string[];
  makesMaps: boolean;
}>;

/** A file takes in others, which take in others. */
const MOST_EXTENDS = 8;

/** The tsconfig files of a directory, `tsconfig.json` first; those that cannot be read are left out. */
export async function compilersOf(files: WorkspaceFiles, dir: string): Promise<readonly Compiler[]> {
  const names = (await files.list(dir)).map(({ name }) => name).filter(name => /^tsconfig(?:\..+)?\.json$/.test(name));
  const sorted = names.toSorted((a, b) => a.length - b.length);
  const all = await Promise.all(sorted.map(name => optionsOf(files, join(dir, name), MOST_EXTENDS)));
  return all.flatMap((options, i) => (options ? [compilerOf(join(dir, sorted[i]!), options)] : []));
}

function compilerOf(file: string, options: Mapping): Compiler {
  const outDir = textAt(options, 'outDir');
  const rootDir = textAt(options, 'rootDir');
  return {
    file,
    ...(outDir === undefined ? {} : { outDir }),
    roots: rootDir === undefined ? [join(dirname(file), 'src'), dirname(file)] : [rootDir],
    makesMaps: options['sourceMap'] === true || options['inlineSourceMap'] === true,
  };
}

const DIRECTORIES = ['outDir', 'rootDir'];

/** `compilerOptions` with those of the files that it extends; directories are relative to the file that names them. */
async function optionsOf(files: WorkspaceFiles, file: string, left: number): Promise<Mapping | undefined> {
  const text = await files.read(file);
  const config = text === undefined ? undefined : parsed(text);
  if (!config) return undefined;
  const bases = [config['extends']].flat().filter(base => typeof base === 'string');
  const inherited: Mapping[] = [];
  for (const base of left > 0 ? bases : []) inherited.push((await extended(files, file, base, left - 1)) ?? {});
  const own = mappingAt(config, 'compilerOptions');
  const absolute = DIRECTORIES.flatMap(name => {
    const written = textAt(own, name)?.replace('${configDir}', '.');
    return written === undefined ? [] : [[name, resolve(dirname(file), written)] as const];
  });
  return Object.assign({}, ...inherited, own, Object.fromEntries(absolute)) as Mapping;
}

async function extended(files: WorkspaceFiles, file: string, base: string, left: number): Promise<Mapping | undefined> {
  const isPath = base.startsWith('.') || isAbsolute(base);
  const at = isPath ? resolve(dirname(file), base) : join(dirname(file), 'node_modules', base);
  for (const candidate of [at, `${at}.json`, join(at, 'tsconfig.json')]) {
    const options = await optionsOf(files, candidate, left);
    if (options) return options;
  }
  return undefined;
}

function parsed(text: string): Mapping | undefined {
  try {
    const value = parseJsonc(text);
    return isMapping(value) ? value : undefined;
  } catch {
    return undefined; // the compiler says what is wrong with it
  }
}

/** The sources that a compiled file may come from. */
export function sourcesOf({ outDir, roots }: Compiler, compiled: string): readonly string[] {
  const [, stem, kind] = /^(.*)\.([cm]?)js$/.exec(compiled) ?? [];
  if (stem === undefined) return [];
  const named = (path: string) => [`${path}.${kind}ts`, `${path}.tsx`];
  if (outDir === undefined) return named(stem);
  const below = relative(outDir, stem);
  if (below.startsWith('..') || isAbsolute(below) || basename(below) === '') return [];
  return roots.flatMap(root => named(join(root, below)));
}
