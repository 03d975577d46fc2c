import { dirname, join, posix, relative, sep } from 'node:path';
import type { PathMap, WorkspaceFiles } from '../../core/contracts.ts';

/** Where main packages are, below the directory of a module. */
const COMMANDS = 'cmd';
const MOST_FILES = 50;

type Module = NonNullable<PathMap['module']>;

/**
 * The Go module in a directory: its path, and the import path of its main package, which is in `main` (a directory), in
 * that of the module itself or in `cmd/<name>`; of several the one that `names` has. `undefined` without a go.mod.
 */
export async function goModule(
  files: WorkspaceFiles,
  dir: string,
  names: readonly string[],
  main?: string,
): Promise<Module | undefined> {
  const path = await modulePathIn(files, dir);
  if (path === undefined) return undefined;
  const at = main === undefined ? '' : relative(dir, main);
  if (main !== undefined && !at.startsWith('..')) return { path, main: posix.join(path, ...at.split(sep)) };
  if (await isMain(files, dir)) return { path, main: path };
  const commands: string[] = [];
  for (const { name, isDirectory } of await files.list(join(dir, COMMANDS)))
    if (isDirectory && (await isMain(files, join(dir, COMMANDS, name)))) commands.push(name);
  const command = commands.length === 1 ? commands[0] : names.find(name => commands.includes(name));
  return command === undefined ? { path } : { path, main: posix.join(path, COMMANDS, command) };
}

/** The other modules of the go.work that a module is in, by their paths; looked for from its directory up to `tops`. */
export async function workspaceModules(
  files: WorkspaceFiles,
  dir: string,
  tops: readonly string[],
): Promise<{ file: string; others: Readonly<Record<string, string>> } | undefined> {
  for (let at = dir; ; at = dirname(at)) {
    const file = join(at, 'go.work');
    const text = await files.read(file);
    if (text !== undefined) {
      const used = usedBy(text).map(path => join(at, path));
      const paths = await Promise.all(used.map(one => modulePathIn(files, one)));
      const found = used.flatMap((one, i) => (paths[i] === undefined || one === dir ? [] : [[paths[i], one] as const]));
      return used.includes(dir) && found.length > 0 ? { file, others: Object.fromEntries(found) } : undefined;
    }
    if (tops.includes(at) || dirname(at) === at) return undefined;
  }
}

/** `use ./web` and `use ( ./web ./api )` (Go Modules Reference, "Workspaces"). */
const usedBy = (text: string): readonly string[] =>
  [...text.replace(/\/\/.*$/gm, '').matchAll(/^[ \t]*use[ \t]*(?:\(([^)]*)\)|(\S+))/gm)]
    .flatMap(([, block, one]) => (block === undefined ? [one!] : block.split(/\s+/)))
    .map(path => path.replace(/^"(.*)"$/, '$1'))
    .filter(Boolean);

const modulePathIn = async (files: WorkspaceFiles, dir: string): Promise<string | undefined> =>
  /^[ \t]*module[ \t]+"?([^\s"]+)"?/m.exec((await files.read(join(dir, 'go.mod'))) ?? '')?.[1];

async function isMain(files: WorkspaceFiles, dir: string): Promise<boolean> {
  const sources = (await files.list(dir)).filter(({ name }) => name.endsWith('.go') && !name.endsWith('_test.go'));
  for (const { name } of sources.slice(0, MOST_FILES))
    if (/^package[ \t]+main\b/m.test((await files.read(join(dir, name))) ?? '')) return true;
  return false;
}
