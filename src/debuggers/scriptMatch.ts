import { basename, dirname, join, posix } from 'node:path';
import type { WorkspaceFiles } from '../core/contracts.ts';

/** A local directory and the container's, found by a script that both have. */
export interface ScriptMatch {
  readonly local: string;
  readonly remote: string;
  /** What was found: `dist/server.js`, or the source that it is compiled from. */
  readonly file: string;
  /** How many segments of the path agree. */
  readonly length: number;
}

/** The longest end of the script's path that is a file in `dir`, or that one of its sources is compiled to. */
export async function matchScript(
  files: WorkspaceFiles,
  dir: string,
  script: string,
): Promise<ScriptMatch | undefined> {
  const segments = posix.normalize(script).split('/').filter(Boolean);
  const compiled = compiledSources(await files.read(join(dir, 'tsconfig.json')));
  // The whole path would map the root of the container's file system.
  for (let length = segments.length - 1; length > 0; length--) {
    const end = segments.slice(-length).join('/');
    for (const file of [end, ...compiled(end)])
      if (await files.exists(join(dir, file)))
        return { local: dir, remote: `/${segments.slice(0, -length).join('/')}`, file, length };
  }
  return undefined;
}

/**
 * Widens a pair of directories while their last names agree, so that what stands beside a package is mapped too. Stays
 * inside the open folders, and never takes the root of the container's file system.
 */
export function widen({ local, remote }: { local: string; remote: string }, folders: readonly string[]) {
  let [here, there] = [local, remote];
  while (basename(here) === posix.basename(there) && !folders.includes(here) && posix.dirname(there) !== '/')
    [here, there] = [dirname(here), posix.dirname(there)];
  return { local: here, remote: there };
}

/** Where the sources of compiled files are, by `outDir` and `rootDir`; the file may hold comments, so it is searched. */
function compiledSources(tsconfig: string | undefined): (end: string) => string[] {
  const option = (name: string) => new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(tsconfig ?? '')?.[1];
  const outDir = option('outDir')?.replace(/^\.\//, '').replace(/\/$/, '');
  const rootDir = option('rootDir')?.replace(/^\.\//, '').replace(/\/$/, '');
  const roots = rootDir === undefined ? ['src', '.'] : [rootDir];
  return end => {
    const [, stem, kind] = /^(.*)\.([cm]?)js$/.exec(end) ?? [];
    if (outDir === undefined || stem === undefined || !stem.startsWith(`${outDir}/`)) return [];
    const inside = stem.slice(outDir.length + 1);
    return roots.flatMap(root => [posix.join(root, `${inside}.${kind}ts`), posix.join(root, `${inside}.tsx`)]);
  };
}
