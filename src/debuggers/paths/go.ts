import { join } from 'node:path';
import type { PathMap, WorkspaceFiles } from '../../core/contracts.ts';
import type { Container } from '../../core/model.ts';
import { oneLine } from '../../lib/plainText.ts';
import { goModule, workspaceModules } from './goModule.ts';
import { type Layout, layoutOf, remoteOf } from './layout.ts';
import { nearestWith, type Place } from './place.ts';
import { namesOf } from './projects.ts';
import { workingDirectory } from './workingDirectory.ts';

/**
 * A Go program knows where it was built. That is certain where a Dockerfile builds it; else dlv finds it by the names of
 * the packages of a module. Only for a program without a module is the working directory in the container of any use.
 */
export async function goSources(files: WorkspaceFiles, place: Place, container: Container): Promise<PathMap> {
  const { artifact, tops, words } = place;
  const dir = (await nearestWith(files, place.dir, tops, ['go.mod'])) ?? place.dir;
  const { layout, doubt } = await layoutOf(files, container, dir, artifact);
  const main = artifact?.builder === 'ko' ? (artifact.folder ?? artifact.context) : mainOf(dir, layout);
  const module = await goModule(
    files,
    dir,
    namesOf(container).map(({ name }) => name),
    main,
  );
  const known = [...words, ...(doubt === undefined ? [] : [doubt])];
  const built = layout && artifact && !place.isGuess ? builtIn(dir, layout, module?.path) : undefined;
  if (built)
    return { local: dir, builtIn: built.path, ...(module ? { module } : {}), sources: [...known, built.source] };
  if (!module) return withoutModule(dir, layout, known, container);
  const workspace = await workspaceModules(files, dir, tops);
  const of = module.main === undefined ? '' : `, its main package is ${oneLine(module.main)}`;
  const found = `It is the Go module ${oneLine(module.path)}${of}; dlv (1.24 or newer) knows where that was built.`;
  if (!workspace) return { local: dir, module, sources: [...known, found] };
  const { file, others } = workspace;
  const also = `${file} has more modules: ${oneLine(Object.keys(others).join(', '), 300)}.`;
  return { local: dir, module: { ...module, others }, sources: [...known, found, also] };
}

/** `go build ./cmd/web`, where the module is what is built in. */
const mainOf = (dir: string, layout: Layout | undefined) =>
  layout?.goPackage === undefined || layout.goPackage === './...' ? undefined : join(dir, layout.goPackage);

/** What the program has in place of a directory; with -trimpath that is the path of its module. */
function builtIn(dir: string, { dockerfile, trimsPath, seen, pairs }: Layout, module: string | undefined) {
  if (trimsPath)
    return module === undefined
      ? undefined
      : {
          path: module,
          source: `${dockerfile} builds it with -trimpath, so it knows its files by the module ${oneLine(module)}.`,
        };
  const path = [...seen, ...pairs].map(pair => remoteOf(pair, dir)).find(Boolean);
  return path && { path, source: `${dockerfile} builds it in ${oneLine(path)}.` };
}

function withoutModule(
  dir: string,
  layout: Layout | undefined,
  known: readonly string[],
  container: Container,
): PathMap {
  const [seen] = layout?.seen ?? [];
  if (seen && layout)
    return { ...seen, sources: [...known, `${layout.dockerfile} builds it in ${oneLine(seen.remote)}.`] };
  const { remote, source } = workingDirectory(container, layout);
  return { local: dir, ...(remote === undefined ? {} : { remote }), sources: [...known, source, NOTE] };
}

const NOTE =
  'A Go program remembers the directory of its build; breakpoints bind only if that is the directory given here.';
