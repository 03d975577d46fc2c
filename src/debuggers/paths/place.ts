import { dirname, join, relative } from 'node:path';
import type { ArtifactSource, ArtifactSources, WorkspaceFiles } from '../../core/contracts.ts';
import type { Container } from '../../core/model.ts';
import { oneLine } from '../../lib/plainText.ts';
import { findProjects, nameShared, namesOf, type Project } from './projects.ts';

/** Where the sources of a container are looked for. Paths are absolute. */
export type Place = Readonly<{
  /** The directory of the program's project. */
  dir: string;
  /** What the image was built from, where that is known. */
  artifact?: ArtifactSource;
  /** Below which it lies: the context of the artifact, or the folders that are open. */
  tops: readonly string[];
  /** All that may be meant. */
  projects: readonly Project[];
  /** Nothing but the order has decided. */
  isGuess: boolean;
  /** How it is known, for people. */
  words: readonly string[];
}>;

/** By the artifact that the container was built as, else by the names that it has; `undefined` when no folder is open. */
export async function placeOf(
  files: WorkspaceFiles,
  artifacts: ArtifactSources,
  container: Container,
): Promise<Place | undefined> {
  const [artifact, ...others] = await onThisDisk(files, await artifacts.sourcesOf(container));
  if (artifact) return placeOfArtifact(files, container, artifact, others);
  if (files.folders.length === 0) return undefined;
  const projects = await findProjects(files, files.folders, container.detection.runtime);
  const { dir, source, isGuess } = projectOf(projects, files, container);
  return { dir, tops: files.folders, projects, isGuess, words: [source] };
}

async function onThisDisk(files: WorkspaceFiles, found: readonly ArtifactSource[]): Promise<readonly ArtifactSource[]> {
  const isHere = await Promise.all(found.map(({ context }) => files.exists(context)));
  return found.filter((_, i) => isHere[i]);
}

async function placeOfArtifact(
  files: WorkspaceFiles,
  container: Container,
  artifact: ArtifactSource,
  others: readonly ArtifactSource[],
): Promise<Place> {
  const { context, image, builder, from, isChosen } = artifact;
  const projects = await findProjects(files, [context], container.detection.runtime);
  const { dir, why } = directoryOf(artifact, projects, container);
  const found = `The image is the artifact ${oneLine(image, 200)} of ${oneLine(from)}, built by ${builder} from ${context}${why}.`;
  const doubt = `Not certain: it could as well be built ${others.map(howBuilt).join(' or ')}; the first is taken.`;
  if (isChosen)
    return { dir, artifact, tops: [context], projects, isGuess: false, words: [`You have chosen ${context}${why}.`] };
  const words = others.length === 0 ? [found] : [found, doubt];
  return { dir, artifact, tops: [context], projects, isGuess: others.length > 0, words };
}

const howBuilt = ({ context, dockerfile, folder, from }: ArtifactSource) =>
  `from ${context}${dockerfile ? ` by ${relative(context, dockerfile)}` : ''}${folder ? ` (${folder})` : ''} as ${oneLine(from)} says`;

/** The part that becomes the program: named by the builder, or where its Dockerfile or a project with its name is. */
function directoryOf(
  { context, folder, dockerfile }: ArtifactSource,
  projects: readonly Project[],
  container: Container,
) {
  if (folder !== undefined) return { dir: folder, why: `, of it ${folder}` };
  const isProject = (dir: string) => projects.some(project => project.dir === dir);
  const byDockerfile = dockerfile === undefined ? context : dirname(dockerfile);
  if (byDockerfile !== context && isProject(byDockerfile))
    return { dir: byDockerfile, why: `, its Dockerfile is in ${byDockerfile}` };
  if (isProject(context)) return { dir: context, why: '' };
  const [only, ...more] = projects;
  if (only && more.length === 0) return { dir: only.dir, why: `, the only project in it is ${only.dir}` };
  const named = projects.find(project => nameShared(project, namesOf(container)));
  return named
    ? { dir: named.dir, why: `, its project with the name of the container is ${named.dir}` }
    : { dir: context, why: '' };
}

/** The project with a name of the container, else the only project, else the folder. */
function projectOf(projects: readonly Project[], { folders }: WorkspaceFiles, container: Container) {
  for (const label of namesOf(container)) {
    const [first, ...also] = projects.filter(project => nameShared(project, [label])).map(({ dir }) => dir);
    if (first === undefined) continue;
    const whose = `the name of the ${label.of.toLowerCase()}`;
    const source =
      also.length === 0
        ? `${first} has ${whose}.`
        : `Not certain: ${first} has ${whose}, and so has ${also.join(' and ')}; the first is taken.`;
    return { dir: first, source, isGuess: also.length > 0 };
  }
  const [only, ...more] = projects;
  if (only && more.length === 0)
    return {
      dir: only.dir,
      source: `${only.dir} is the only project with a ${only.marker} in the workspace.`,
      isGuess: false,
    };
  const [folder, ...otherFolders] = folders;
  const why = only
    ? `none of the ${projects.length} projects in the workspace has a name of the container`
    : 'no project was found in the workspace';
  const which = otherFolders.length === 0 ? `the folder ${folder}` : `the first of its folders, ${folder},`;
  return { dir: folder!, source: `Not certain: ${why}, so ${which} is taken.`, isGuess: true };
}

/** The nearest directory with a file, from one up to the tops. */
export async function nearestWith(
  files: WorkspaceFiles,
  dir: string,
  tops: readonly string[],
  names: readonly string[],
): Promise<string | undefined> {
  for (let at = dir; ; at = dirname(at)) {
    for (const name of names) if (await files.exists(join(at, name))) return at;
    if (tops.includes(at) || dirname(at) === at) return undefined;
  }
}
