import { join, posix, win32 } from 'node:path';
import type { PathMap, Ready, SourcePaths, WorkspaceFiles } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import { oneLine } from '../lib/plainText.ts';
import { goModule } from './goModule.ts';
import { findProjects, nameShared, namesOf, type Project } from './projects.ts';
import { matchScript, type ScriptMatch, widen } from './scriptMatch.ts';

/** Finds local sources without a question; each conclusion says where it comes from. */
export const sourcePaths = (files: WorkspaceFiles): SourcePaths => ({
  mapFor: async (container, ready) => clean(await mapFor(files, container, ready)),
});

async function mapFor(files: WorkspaceFiles, container: Container, ready: Ready): Promise<PathMap> {
  if (files.folders.length === 0)
    return { sources: ['No folder is open, so no local sources can be found: open the folder of the program.'] };
  const { runtime } = container.detection;
  const projects = await findProjects(files, runtime);
  if (runtime === 'jvm') return javaSources(files, projectOf(projects, files, container));
  const byScript = ready.script === undefined ? undefined : await mapByScript(files, projects, container, ready.script);
  if (byScript) return byScript;
  const { dir, source } = projectOf(projects, files, container);
  if (runtime === 'go') return goSources(files, { dir, source }, container, ready);
  const remote = await remoteOf(files, dir, container, ready);
  return {
    local: dir,
    ...(remote.dir === undefined ? {} : { remote: remote.dir }),
    sources: [source, remote.source],
  };
}

/** A program of a module knows where it was built; only for one without is the directory in the container of any use. */
async function goSources(
  files: WorkspaceFiles,
  { dir, source }: { dir: string; source: string },
  container: Container,
  ready: Ready,
): Promise<PathMap> {
  const names = namesOf(container).map(({ name }) => name);
  const module = await goModule(files, dir, names);
  if (module) {
    const main = module.main === undefined ? '' : `, its main package is ${oneLine(module.main)}`;
    const found = `It is the Go module ${oneLine(module.path)}${main}; dlv (1.24 or newer) knows where that was built.`;
    return { local: dir, module, sources: [source, found] };
  }
  const remote = await remoteOf(files, dir, container, ready);
  return {
    local: dir,
    ...(remote.dir === undefined ? {} : { remote: remote.dir }),
    sources: [source, remote.source, GO_NOTE],
  };
}

const GO_NOTE =
  'A Go program remembers the directory of its build; breakpoints bind only if that is the directory given here.';

/** By the main script that the debugger has loaded: the strongest evidence, since the debuggee itself gives it. */
async function mapByScript(files: WorkspaceFiles, projects: readonly Project[], container: Container, script: string) {
  const names = namesOf(container);
  const named = projects.filter(project => nameShared(project, names));
  const others = [...projects.filter(project => !named.includes(project)).map(({ dir }) => dir), ...files.folders];
  const best =
    (await longest(
      files,
      named.map(({ dir }) => dir),
      script,
    )) ?? (await longest(files, [...new Set(others)], script));
  if (!best) return undefined;
  const { match, also } = best;
  const { local, remote } = widen(match, files.folders);
  const found = `${oneLine(script)} in the container is ${join(match.local, match.file)} here (longest common end of the path).`;
  const doubt = also.length === 0 ? [] : [`It could as well be in ${also.join(' or ')}: nothing in the names decides.`];
  return { local, remote, sources: [found, ...doubt] };
}

async function longest(files: WorkspaceFiles, dirs: readonly string[], script: string) {
  const matches: ScriptMatch[] = [];
  for (const dir of dirs) {
    const match = await matchScript(files, dir, script);
    if (match) matches.push(match);
  }
  const length = Math.max(...matches.map(match => match.length));
  const [match, ...also] = matches.filter(match => match.length === length);
  return match && { match, also: also.map(({ local }) => local) };
}

/** The project with a name of the container, else the only project, else the folder. */
function projectOf(projects: readonly Project[], { folders }: WorkspaceFiles, container: Container) {
  for (const label of namesOf(container)) {
    const [first, ...also] = projects.filter(project => nameShared(project, [label])).map(({ dir }) => dir);
    if (first === undefined) continue;
    const doubt = also.length === 0 ? '' : ` So has ${also.join(' and ')}: nothing decides between them.`;
    return { dir: first, source: `${first} has the name of the ${label.of.toLowerCase()}.${doubt}` };
  }
  const [only, ...more] = projects;
  if (only && more.length === 0)
    return { dir: only.dir, source: `${only.dir} is the only project with a ${only.marker} in the workspace.` };
  const [folder] = folders;
  const why = only
    ? `none of the ${projects.length} projects in the workspace has a name of the container`
    : 'no project was found in the workspace';
  return { dir: folder!, source: `Not certain: ${why}, so the folder ${folder} is taken.` };
}

/** Java looks for sources by package below its source directories. */
async function javaSources(files: WorkspaceFiles, { dir, source }: { dir: string; source: string }): Promise<PathMap> {
  for (const name of ['java', 'kotlin', 'scala']) {
    const root = join(dir, 'src', 'main', name);
    if (await files.exists(root)) return { local: root, sources: [source, `Its sources are in ${root}.`] };
  }
  return { local: dir, sources: [source] };
}

async function remoteOf(files: WorkspaceFiles, dir: string, { detection }: Container, { script }: Ready) {
  const { workingDir } = detection;
  if (workingDir !== undefined)
    return { dir: workingDir, source: `${oneLine(workingDir)} is the working directory of the container.` };
  const dockerfile = join(dir, 'Dockerfile');
  const inDockerfile = workdirIn((await files.read(dockerfile)) ?? '');
  if (inDockerfile !== undefined)
    return { dir: inDockerfile, source: `${oneLine(inDockerfile)} is the last WORKDIR in ${dockerfile}.` };
  if (script !== undefined) {
    const above = posix.dirname(script).replace(/\/(?:dist|build|out|lib)$/, '') || '/';
    return { dir: above, source: `Not certain: ${oneLine(above)} is where the script ${oneLine(script)} is.` };
  }
  return {
    dir: undefined,
    source:
      'The directory of the program in the container is not known: neither its pod nor a Dockerfile tells it. Set workingDir in the container.',
  };
}

const workdirIn = (dockerfile: string): string | undefined =>
  [...dockerfile.matchAll(/^[ \t]*WORKDIR[ \t]+(\/[^\s$]*)[ \t]*$/gim)].at(-1)?.[1];

/**
 * Paths from a pod are foreign text, and VS Code replaces `${…}` in a configuration, even runs commands for it: only
 * absolute paths without any get through.
 */
function clean({ local, remote, module, sources }: PathMap): PathMap {
  const goodLocal = local !== undefined && isGood(local) ? local : undefined;
  const goodRemote = remote !== undefined && isGood(remote) ? remote : undefined;
  const refused = [local, remote]
    .filter(path => path !== undefined && !isGood(path))
    .map(path => `${oneLine(path!, 200)} is not used: it is no plain absolute path.`);
  return {
    ...(goodLocal === undefined ? {} : { local: goodLocal }),
    ...(goodRemote === undefined ? {} : { remote: goodRemote }),
    ...(module === undefined || JSON.stringify(module).includes('${') ? {} : { module }),
    sources: [...sources, ...refused],
  };
}

const isGood = (path: string) => (posix.isAbsolute(path) || win32.isAbsolute(path)) && !path.includes('${');
