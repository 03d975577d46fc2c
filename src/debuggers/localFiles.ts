import { access, readdir, readFile, stat } from 'node:fs/promises';
import type { WorkspaceFiles } from '../core/contracts.ts';

/** No file that tells of a project is larger. */
const mostBytes = 1024 * 1024;

/** Files on this disk, where debuggers read them too, below the folders that `folders` gives at each look. */
export const localFiles = (folders: () => readonly string[]): WorkspaceFiles => ({
  get folders() {
    return [...new Set(folders())];
  },
  exists: path =>
    access(path).then(
      () => true,
      () => false,
    ),
  list: async dir => {
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    return entries.map(entry => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
  read: path => readSmall(path).catch(() => undefined),
});

async function readSmall(path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  return size > mostBytes ? undefined : readFile(path, 'utf8');
}
