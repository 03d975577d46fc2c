import { basename, dirname, join, posix, relative } from 'node:path';
import type { PathPair, WorkspaceFiles } from '../../core/contracts.ts';
import { type Compiler, compilersOf, sourcesOf } from './tsconfig.ts';

/** A local directory and the container's, found by a script that both have. */
export interface ScriptMatch extends PathPair {
  /** What was found: `dist/server.js`, or the source that it is compiled from. */
  readonly file: string;
  /** How many segments of the path agree. */
  readonly length: number;
  /** What compiles it, where `file` is the source. */
  readonly compiler?: Compiler;
}

/** The longest end of the script's path that is a file in `dir`, or that one of its sources is compiled to. */
export async function matchScript(
  files: WorkspaceFiles,
  dir: string,
  script: string,
): Promise<ScriptMatch | undefined> {
  const segments = posix.normalize(script).split('/').filter(Boolean);
  const compilers = await compilersOf(files, dir);
  // The whole path would map the root of the container's file system.
  for (let length = segments.length - 1; length > 0; length--) {
    const remote = `/${segments.slice(0, -length).join('/')}`;
    const found = await fileAt(files, compilers, join(dir, ...segments.slice(-length)));
    if (found) return { local: dir, remote, length, ...found, file: relative(dir, found.file) };
  }
  return undefined;
}

/** A file, or the source that is compiled to it. */
export async function fileAt(
  files: WorkspaceFiles,
  compilers: readonly Compiler[],
  path: string,
): Promise<{ file: string; compiler?: Compiler } | undefined> {
  if (await files.exists(path)) return { file: path };
  for (const compiler of compilers)
    for (const file of sourcesOf(compiler, path)) if (await files.exists(file)) return { file, compiler };
  return undefined;
}

/**
 * Widens a pair of directories while their last names agree, so that what stands beside a package is mapped too. Stays
 * inside the open folders, and never takes the root of the container's file system.
 */
export function widen({ local, remote }: PathPair, folders: readonly string[]): PathPair {
  let [here, there] = [local, remote];
  while (basename(here) === posix.basename(there) && !folders.includes(here) && posix.dirname(there) !== '/')
    [here, there] = [dirname(here), posix.dirname(there)];
  return { local: here, remote: there };
}
