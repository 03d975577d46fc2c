import type { WorkspaceFiles } from '../../src/core/contracts.ts';

/** Files by path, relative ones below `/ws`; a path with a text is a file that can be read. */
export function workspace(
  paths: readonly string[],
  texts: Readonly<Record<string, string>> = {},
  folders: readonly string[] = ['/ws'],
): WorkspaceFiles {
  const absolute = (path: string) => (path.startsWith('/') ? path : `/ws/${path}`);
  const all = [...paths, ...Object.keys(texts)].map(absolute);
  const textOf = new Map(Object.entries(texts).map(([path, text]) => [absolute(path), text]));
  return {
    folders,
    exists: path => Promise.resolve(all.some(file => file === path || file.startsWith(`${path}/`))),
    list: dir => {
      const inside = all.filter(file => file.startsWith(`${dir}/`)).map(file => file.slice(dir.length + 1));
      const names = new Map(inside.map(rest => [rest.split('/')[0]!, rest.includes('/')]));
      return Promise.resolve([...names].map(([name, isDirectory]) => ({ name, isDirectory })));
    },
    read: path => Promise.resolve(textOf.get(path)),
  };
}
