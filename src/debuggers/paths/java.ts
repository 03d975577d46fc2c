import { join } from 'node:path';
import type { PathMap, WorkspaceFiles } from '../../core/contracts.ts';
import { oneLine } from '../../lib/plainText.ts';
import { nearestWith, type Place } from './place.ts';
import { findProjects } from './projects.ts';

const BUILD_FILES = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
const SETTINGS = ['settings.gradle', 'settings.gradle.kts'];
const LANGUAGES = ['java', 'kotlin', 'scala', 'groovy'];
/** What builds write: the debugger stops in it, too. */
const GENERATED = [
  ['target', 'generated-sources', 'annotations'],
  ['build', 'generated', 'sources', 'annotationProcessor', 'java', 'main'],
];
const MOST_MODULES = 100;

/** Java looks for sources by package below source directories: those of the program's module, then those of the whole build. */
export async function javaSources(files: WorkspaceFiles, { dir, tops, words, isGuess }: Place): Promise<PathMap> {
  const own = await rootsOf(files, dir);
  const top = await topOfBuild(files, dir, tops);
  const modules = top === undefined ? [] : (await findProjects(files, [top], 'jvm')).map(project => project.dir);
  const others = await Promise.all(
    modules
      .filter(one => one !== dir)
      .slice(0, MOST_MODULES)
      .map(one => rootsOf(files, one)),
  );
  const sourceRoots = [...own, ...others.flat()];
  const project = isGuess ? undefined : await artifactId(files, dir);
  const [local = dir] = sourceRoots;
  const found =
    sourceRoots.length === 0
      ? []
      : [`Its sources are in ${own.length > 0 ? own.join(' and ') : 'the modules of the build'}.`];
  const more =
    own.length > 0 && sourceRoots.length > own.length ? [`${top} has more modules; their sources count, too.`] : [];
  const name = project === undefined ? [] : [`Its pom.xml names the project ${oneLine(project)}.`];
  return {
    local,
    ...(sourceRoots.length > 1 ? { sourceRoots } : {}),
    ...(project === undefined ? {} : { project }),
    sources: [...words, ...found, ...more, ...name],
  };
}

/** The source directories of a module: those that its pom.xml names, or where they are by custom. */
async function rootsOf(files: WorkspaceFiles, dir: string): Promise<readonly string[]> {
  const named = /<sourceDirectory>\s*([^<$]+?)\s*<\/sourceDirectory>/.exec(
    (await files.read(join(dir, 'pom.xml'))) ?? '',
  )?.[1];
  const custom = [
    ...(named === undefined ? [] : [join(dir, named)]),
    ...LANGUAGES.map(name => join(dir, 'src', 'main', name)),
    ...GENERATED.map(parts => join(dir, ...parts)),
  ];
  const isThere = await Promise.all(custom.map(path => files.exists(path)));
  return [...new Set(custom.filter((_, i) => isThere[i]))];
}

/** The topmost directory of a build of several modules, from one of them up. */
async function topOfBuild(files: WorkspaceFiles, dir: string, tops: readonly string[]): Promise<string | undefined> {
  const bySettings = await nearestWith(files, dir, tops, SETTINGS);
  if (bySettings !== undefined) return bySettings;
  let top: string | undefined;
  for (let at = await nearestWith(files, dir, tops, BUILD_FILES); at !== undefined;) {
    top = at;
    at = tops.includes(at) ? undefined : await nearestWith(files, join(at, '..'), tops, BUILD_FILES);
  }
  return top;
}

/** Maven's name of a module, by which VS Code knows its project; those with a property are not known. */
async function artifactId(files: WorkspaceFiles, dir: string): Promise<string | undefined> {
  const pom = (await files.read(join(dir, 'pom.xml'))) ?? '';
  const own = pom
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<(parent|dependencies|dependencyManagement|build|profiles|plugins)>[^]*?<\/\1>/g, '');
  return /<artifactId>\s*([\w.-]+)\s*<\/artifactId>/.exec(own)?.[1];
}
