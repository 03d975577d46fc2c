import { join, posix, relative, sep } from 'node:path';
import type { ArtifactSource, PathPair, WorkspaceFiles } from '../../core/contracts.ts';
import type { Container } from '../../core/model.ts';
import { oneLine } from '../../lib/plainText.ts';
import { type Copy, type Image, imageOf } from './image.ts';

/** What a Dockerfile tells of a container. Local paths are absolute. */
export type Layout = Readonly<{
  dockerfile: string;
  workdir?: string;
  /** Directories of this disk and of the image with the same files, the widest first. */
  pairs: readonly PathPair[];
  /** Such as are not on this disk: what a build makes. */
  absent: readonly PathPair[];
  /** The same for the directories in which a compiler has seen the sources. */
  seen: readonly PathPair[];
  trimsPath: boolean;
  goPackage?: string;
}>;

/** A Dockerfile, or why it does not count, for people. */
export type LayoutFound = Readonly<{ layout?: Layout; doubt?: string }>;

/** The Dockerfile of an artifact; without an artifact the one in the directory of the project, which is then its context. */
export async function layoutOf(
  files: WorkspaceFiles,
  { detection }: Container,
  dir: string,
  artifact: ArtifactSource | undefined,
): Promise<LayoutFound> {
  const context = artifact?.context ?? dir;
  const dockerfile = artifact ? (artifact.dockerfile ?? byCustom(artifact)) : join(dir, 'Dockerfile');
  const text = dockerfile === undefined ? undefined : await files.read(dockerfile);
  if (dockerfile === undefined || text === undefined)
    return artifact?.dockerfile === undefined ? {} : { doubt: `${artifact.dockerfile} cannot be read.` };
  // The annotation has it from the image itself; a working directory of the pod alone says nothing of the image.
  const isOfImage = detection.evidence === 'annotation' || detection.evidence === 'skaffold';
  const ofImage = isOfImage ? detection.workingDir : undefined;
  const image = imageOf(text, { target: artifact?.target, args: artifact?.buildArgs, workdir: ofImage });
  if (!image) return { doubt: `${dockerfile} has no stage${artifact?.target ? ` ${oneLine(artifact.target)}` : ''}.` };
  if (ofImage !== undefined && image.workdir !== undefined && image.workdir !== withoutEnd(ofImage))
    return {
      doubt: `${dockerfile} does not fit: its WORKDIR is ${oneLine(image.workdir)}, and that of the image ${oneLine(ofImage)}.`,
    };
  return { layout: await resolved(files, context, dockerfile, image) };
}

/** Scripts that build images mostly do it by the Dockerfile that lies there. */
const byCustom = ({ builder, context }: ArtifactSource) =>
  builder === 'custom' || builder === 'bazel' ? join(context, 'Dockerfile') : undefined;

const withoutEnd = (path: string) => path.replace(/(?<=.)\/+$/, '');

async function resolved(
  files: WorkspaceFiles,
  context: string,
  dockerfile: string,
  { workdir, copies, seen, trimsPath, goPackage }: Image,
): Promise<Layout> {
  const all = await pairsOf(files, context, copies, workdir);
  const isHere = await Promise.all(all.map(({ local }) => files.exists(local)));
  return {
    dockerfile,
    ...(workdir === undefined ? {} : { workdir }),
    pairs: all.filter((_, i) => isHere[i]),
    absent: all.filter((_, i) => !isHere[i]),
    seen: await pairsOf(files, context, seen, undefined),
    trimsPath,
    ...(goPackage === undefined ? {} : { goPackage }),
  };
}

/** Directories that hold the same files; files count where the program is, since others are thrown away after use. */
async function pairsOf(
  files: WorkspaceFiles,
  context: string,
  copies: readonly Copy[],
  workdir: string | undefined,
): Promise<readonly PathPair[]> {
  const known = await Promise.all(copies.map(copy => directoryOf(files, context, copy)));
  const useful = known.filter(
    ({ isFile, remote }) => remote !== '/' && (!isFile || workdir === undefined || isBelow(remote, workdir)),
  );
  const sorted = useful.map(one => ({ ...one, ...widened(one) })).toSorted((a, b) => rank(a) - rank(b));
  const kept: PathPair[] = [];
  for (const { local, remote } of sorted)
    if (!kept.some(other => includes(other, { local, remote }))) kept.push({ local, remote });
  return kept.map(({ local, remote }) => ({ local: join(context, local), remote }));
}

type Directory = PathPair & Readonly<{ isFile: boolean }>;

async function directoryOf(files: WorkspaceFiles, context: string, { local, remote, kind }: Copy): Promise<Directory> {
  if (kind !== 'unknown') return { local, remote, isFile: kind === 'file' };
  const path = join(context, local);
  const isFile = (await files.list(path)).length === 0 && (await files.exists(path));
  if (!isFile) return { local, remote, isFile };
  const isNamed = posix.basename(local) === posix.basename(remote);
  return { local: posix.dirname(local), remote: isNamed ? posix.dirname(remote) : remote, isFile };
}

/** Up while the last names agree, but never to the root of the image. */
function widened({ local, remote }: PathPair): PathPair {
  let [here, there] = [local, remote];
  while (here !== '.' && posix.basename(here) === posix.basename(there) && posix.dirname(there) !== '/')
    [here, there] = [posix.dirname(here), posix.dirname(there)];
  return { local: here, remote: there };
}

/** Whole directories first, and of those the one that is nearest to the context. */
const rank = ({ local, isFile }: Directory) => (isFile ? 100 : 0) + (local === '.' ? 0 : local.split('/').length);

const isBelow = (path: string, dir: string) => path === dir || dir === '/' || path.startsWith(`${dir}/`);

/** One pair says all that the other says. */
const includes = (wide: PathPair, { local, remote }: PathPair) =>
  (wide.local === '.' || isBelow(local, wide.local)) &&
  remote === posix.join(wide.remote, posix.relative(wide.local, local));

/** The pair that has a path of the container, the nearest one; without a path the one where the program starts. */
export function pairFor({ pairs, workdir }: Pick<Layout, 'pairs' | 'workdir'>, path?: string): PathPair | undefined {
  if (path !== undefined)
    return pairs.filter(({ remote }) => isBelow(path, remote)).toSorted((a, b) => b.remote.length - a.remote.length)[0];
  const near = ({ remote }: PathPair) => isBelow(remote, workdir ?? '/') || isBelow(workdir ?? '/', remote);
  return pairs.find(near) ?? pairs[0];
}

/** What a local path is in the container. */
export function remoteOf({ local, remote }: PathPair, path: string): string | undefined {
  const below = relative(local, path);
  return below.startsWith('..') ? undefined : posix.join(remote, ...below.split(sep));
}

/** The local path of one in the container. */
export const localOf = ({ local, remote }: PathPair, path: string): string =>
  join(local, ...posix.relative(remote, path).split('/'));
