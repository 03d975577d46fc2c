import { join, posix } from 'node:path';
import type { PathMap, WorkspaceFiles } from '../core/contracts.ts';

/** Where main packages are, below the directory of a module. */
const COMMANDS = 'cmd';
const MOST_FILES = 50;

/**
 * The Go module in a directory: its path, and the import path of its main package, which is in the directory itself or in
 * `cmd/<name>`; of several the one that `names` has. `undefined` without a go.mod.
 */
export async function goModule(
  files: WorkspaceFiles,
  dir: string,
  names: readonly string[],
): Promise<PathMap['module']> {
  const path = modulePath((await files.read(join(dir, 'go.mod'))) ?? '');
  if (path === undefined) return undefined;
  if (await isMain(files, dir)) return { path, main: path };
  const commands: string[] = [];
  for (const { name, isDirectory } of await files.list(join(dir, COMMANDS)))
    if (isDirectory && (await isMain(files, join(dir, COMMANDS, name)))) commands.push(name);
  const command = commands.length === 1 ? commands[0] : names.find(name => commands.includes(name));
  return command === undefined ? { path } : { path, main: posix.join(path, COMMANDS, command) };
}

const modulePath = (goMod: string) => /^[ \t]*module[ \t]+"?([^\s"]+)"?/m.exec(goMod)?.[1];

async function isMain(files: WorkspaceFiles, dir: string): Promise<boolean> {
  const sources = (await files.list(dir)).filter(({ name }) => name.endsWith('.go') && !name.endsWith('_test.go'));
  for (const { name } of sources.slice(0, MOST_FILES))
    if (/^package[ \t]+main\b/m.test((await files.read(join(dir, name))) ?? '')) return true;
  return false;
}
