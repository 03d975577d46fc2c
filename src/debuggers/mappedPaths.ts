import type { Fields } from '../core/contracts.ts';
import { isMapping, mappingAt, mappingsAt, textAt, textsAt } from '../lib/mapping.ts';

/** A local directory that a debug configuration maps; without `remote` it does not say to what. */
export type Mapped = Readonly<{ local: string; remote?: string }>;

/** What a debug configuration maps, in the fields of every debugger that Breakpod knows, be they its own or the user's. */
export function mappedIn(configuration: Fields): readonly Mapped[] {
  const pair = (local: string | undefined, remote?: string): readonly Mapped[] =>
    local === undefined ? [] : [remote === undefined ? { local } : { local, remote }];
  const byRemote = (name: string) =>
    Object.entries(mappingAt(configuration, name)).flatMap(([remote, local]) =>
      typeof local === 'string' ? pair(local, remote) : [],
    );
  const [, remote, local] = /^(\/[^:]*):(.+)$/.exec(textAt(configuration, 'localfsMap') ?? '') ?? [];
  const modules = mappingAt(mappingAt(configuration, 'guessSubstitutePath'), 'ClientModuleDirectories');
  return [
    ...pair(textAt(configuration, 'localRoot'), textAt(configuration, 'remoteRoot')),
    ...mappingsAt(configuration, 'pathMappings').flatMap(of => pair(textAt(of, 'localRoot'), textAt(of, 'remoteRoot'))),
    ...mappingsAt(configuration, 'substitutePath').flatMap(of => pair(textAt(of, 'from'), textAt(of, 'to'))),
    ...byRemote('sourceFileMap'),
    ...byRemote('sourceMap'),
    ...textsAt(configuration, 'sourcePaths').flatMap(path => pair(path || undefined)),
    ...(isMapping(modules) ? Object.values(modules).flatMap(dir => (typeof dir === 'string' ? pair(dir) : [])) : []),
    ...pair(local, remote),
  ];
}
