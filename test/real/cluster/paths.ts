// Where things lie. Nothing here is created.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** This folder. */
export const here: string = import.meta.dirname;

/** What takes long to make is kept here. */
export const cacheRoot: string = process.env['BREAKPOD_CLUSTER_CACHE'] ?? join(homedir(), '.cache', 'breakpod-cluster');

/** The built programs; other pinned modules give another folder. */
export const binFolder: string = join(cacheRoot, hashOf('go'), 'bin');

/** The registry's storage with all images; another app or recipe gives another folder. */
export const imagesFolder: string = join(cacheRoot, `images-${hashOf('apps', 'images.ts', 'recipes.ts', 'rootfs.ts')}`);

/** The path of a built program. */
export const bin = (name: string): string => join(binFolder, name);

const PREFIX = 'breakpod-cluster-';

/** All that one cluster writes. */
export const workFolder = (name: string): string => join(tmpdir(), PREFIX + name);

/** The folder of one cluster in each cgroup hierarchy. */
export const cgroupOf = (name: string): string => `breakpod-${name}`;

/** The names of the clusters that are there, in whatever state. */
export const clusterNames = (): string[] =>
  readdirSync(tmpdir(), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name.startsWith(PREFIX))
    .map(({ name }) => name.slice(PREFIX.length))
    .sort();

function hashOf(...entries: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of entries.flatMap(entry => filesIn(entry))) hash.update(file).update(readFileSync(join(here, file)));
  return hash.digest('hex').slice(0, 12);
}

function filesIn(entry: string): string[] {
  const path = join(here, entry);
  if (!statSync(path).isDirectory()) return [entry];
  return readdirSync(path)
    .sort()
    .flatMap(name => filesIn(join(entry, name)));
}
