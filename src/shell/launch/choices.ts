import path from 'node:path';
import type { FoundProject } from '../../skaffold/project/roots.ts';
import type { Translate } from '../plain.ts';
import { debugType } from './launchOptions.ts';

/** A launch configuration that is offered. */
export type OfferedLaunch = Readonly<{
  type: typeof debugType;
  request: 'launch';
  name: string;
  skaffoldFile: string;
  modules?: readonly string[];
  profiles?: readonly string[];
}>;

/** A workspace folder. */
export type Folder = Readonly<{ name: string; path: string }>;

/** The folder of a skaffold.yaml as people call it: its path below the workspace folder, or the name of that. */
export function nameOfFile(file: string, folder: Folder): string {
  const below = path.relative(folder.path, path.dirname(file));
  return below === '' ? folder.name : below.replaceAll('\\', '/');
}

/**
 * What can be launched in a workspace folder: each skaffold.yaml; of those that no other requires also each module, where
 * there are several, and each profile.
 */
export function offeredLaunches(
  found: readonly FoundProject[],
  folder: Folder,
  t: Translate,
): readonly OfferedLaunch[] {
  return found.flatMap(({ project, isRoot }) => {
    const base = baseOf(project.file, folder, t);
    const named = (name: string, more: Partial<OfferedLaunch>): OfferedLaunch => ({ ...base, ...more, name });
    const modules = project.modules.map(({ name }) => name).filter(name => name !== undefined);
    if (!isRoot) return [base];
    return [
      base,
      ...(modules.length > 1 ? modules : []).map(module =>
        named(t('{0} (module {1})', base.name, module), { modules: [module] }),
      ),
      ...project.profiles.map(profile => named(t('{0} (profile {1})', base.name, profile), { profiles: [profile] })),
    ];
  });
}

/** What a new launch.json begins with: each skaffold.yaml that no other requires, be it one that has yet to be written. */
export function firstLaunches(found: readonly FoundProject[], folder: Folder, t: Translate): readonly OfferedLaunch[] {
  const files = found.filter(({ isRoot }) => isRoot).map(({ project }) => project.file);
  const all = files.length > 0 ? files : [path.join(folder.path, 'skaffold.yaml')];
  return all.map(file => baseOf(file, folder, t));
}

function baseOf(file: string, folder: Folder, t: Translate): OfferedLaunch {
  const below = path.relative(folder.path, file).replaceAll('\\', '/');
  return {
    type: debugType,
    request: 'launch',
    name: t('Skaffold: {0}', nameOfFile(file, folder)),
    skaffoldFile: `\${workspaceFolder}/${below}`,
  };
}

/** Of two spellings in one folder Skaffold takes `skaffold.yaml`. */
export function withoutDoubles(files: readonly string[]): readonly string[] {
  const all = new Set(files);
  return [...all].filter(file => !(file.endsWith('.yml') && all.has(file.replace(/\.yml$/, '.yaml'))));
}
