import { posix, win32 } from 'node:path';
import type { ArtifactSources, PathMap, PathPair, Ready, SourcePaths, WorkspaceFiles } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import { oneLine } from '../lib/plainText.ts';
import { goSources } from './paths/go.ts';
import { interpretedSources } from './paths/interpreted.ts';
import { javaSources } from './paths/java.ts';
import { placeOf } from './paths/place.ts';

/** Where nobody tells what containers are built from. */
export const noArtifacts: ArtifactSources = { sourcesOf: () => Promise.resolve([]) };

/** Finds local sources without a question; each conclusion says where it comes from. */
export const sourcePaths = (files: WorkspaceFiles, artifacts: ArtifactSources = noArtifacts): SourcePaths => ({
  mapFor: async (container, ready) => clean(await mapFor(files, artifacts, container, ready)),
});

async function mapFor(
  files: WorkspaceFiles,
  artifacts: ArtifactSources,
  container: Container,
  ready: Ready,
): Promise<PathMap> {
  const place = await placeOf(files, artifacts, container);
  if (!place)
    return { sources: ['No folder is open, so no local sources can be found: open the folder of the program.'] };
  switch (container.detection.runtime) {
    case 'jvm':
      return javaSources(files, place);
    case 'go':
      return goSources(files, place, container);
    default:
      return interpretedSources(files, place, container, ready);
  }
}

/**
 * Paths from a pod or a repository are foreign text, and VS Code replaces `${…}` in a configuration, even runs commands
 * for it: only absolute paths without any get through.
 */
function clean(map: PathMap): PathMap {
  const { local, remote, more = [], module, builtIn, sourceRoots, project, sources } = map;
  const refused = [local, remote]
    .filter(path => path !== undefined && !isGood(path))
    .map(path => `${oneLine(path!, 200)} is not used: it is no plain absolute path.`);
  const goodMore = more.filter(isGoodPair);
  const goodRoots = sourceRoots?.filter(isGood);
  return {
    ...(local !== undefined && isGood(local) ? { local } : {}),
    ...(remote !== undefined && isGood(remote) ? { remote } : {}),
    ...(goodMore.length > 0 ? { more: goodMore } : {}),
    ...(module !== undefined && isPlain(module) ? { module } : {}),
    ...(builtIn !== undefined && isPlain(builtIn) ? { builtIn } : {}),
    ...(goodRoots ? { sourceRoots: goodRoots } : {}),
    ...(project === undefined ? {} : { project }),
    sources: [...sources, ...refused],
  };
}

const isPlain = (value: unknown) => !JSON.stringify(value).includes('${');
const isGood = (path: string) => (posix.isAbsolute(path) || win32.isAbsolute(path)) && isPlain(path);
const isGoodPair = ({ local, remote }: PathPair) => isGood(local) && isGood(remote);
