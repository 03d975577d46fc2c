import { join } from 'node:path';
import type { PathMap, PathPair, Ready, WorkspaceFiles } from '../../core/contracts.ts';
import type { Container } from '../../core/model.ts';
import { oneLine } from '../../lib/plainText.ts';
import { type Layout, layoutOf, localOf, pairFor } from './layout.ts';
import type { Place } from './place.ts';
import { nameShared, namesOf } from './projects.ts';
import { fileAt, matchScript, type ScriptMatch, widen } from './scriptMatch.ts';
import { type Compiler, compilersOf } from './tsconfig.ts';
import { workingDirectory } from './workingDirectory.ts';

/** What these run was compiled, and knows its sources by where the compiler has seen them. */
const COMPILED: readonly (string | undefined)[] = ['native', 'netcore'];

/** Runtimes that know their files by the paths that these have in the container, or had where they were compiled. */
export async function interpretedSources(
  files: WorkspaceFiles,
  place: Place,
  container: Container,
  { script }: Ready,
): Promise<PathMap> {
  const { dir, artifact, words } = place;
  const { layout: copied, doubt } = await layoutOf(files, container, dir, artifact);
  const isCompiled = COMPILED.includes(container.detection.runtime) && copied && copied.seen.length > 0;
  const layout = isCompiled ? { ...copied, pairs: copied.seen } : copied;
  const known = [...words, ...(doubt === undefined ? [] : [doubt])];
  if (script !== undefined) {
    const byDockerfile = layout && artifact ? await copiedScript(files, layout, place, script) : undefined;
    const byScript = byDockerfile ?? (await mapByScript(files, place, container, script));
    if (byScript) return { ...byScript, sources: [...(artifact ? known : []), ...byScript.sources] };
  }
  const pair = layout && pairFor(layout, script);
  if (layout && pair) {
    const source = `${layout.dockerfile} puts ${pair.local} at ${oneLine(pair.remote)}.`;
    return { ...pair, ...others(layout, pair), sources: [...known, source] };
  }
  const notBuilt = (layout?.absent ?? []).map(
    one =>
      `${layout!.dockerfile} puts ${one.local} at ${oneLine(one.remote)}, and it is not on this disk: build it here.`,
  );
  const { remote, source } = workingDirectory(container, layout, { script, builder: artifact?.builder });
  return { local: dir, ...(remote === undefined ? {} : { remote }), sources: [...known, ...notBuilt, source] };
}

/** Parts that the image has from elsewhere. */
function others({ pairs }: Layout, first: PathPair): Pick<PathMap, 'more'> {
  const more = pairs.filter(pair => pair.local !== first.local || pair.remote !== first.remote);
  return more.length > 0 ? { more } : {};
}

/** Where the Dockerfile has put the main script, if that, or the source that it is compiled from, is there. */
async function copiedScript(
  files: WorkspaceFiles,
  layout: Layout,
  { dir }: Place,
  script: string,
): Promise<PathMap | undefined> {
  const pair = pairFor(layout, script);
  if (!pair) return undefined;
  const compilers = [
    ...(await compilersOf(files, dir)),
    ...(dir === pair.local ? [] : await compilersOf(files, pair.local)),
  ];
  const found = await fileAt(files, compilers, localOf(pair, script));
  if (!found) return undefined;
  const source = `${layout.dockerfile} puts ${pair.local} at ${oneLine(pair.remote)}: ${oneLine(script)} in the container is ${found.file} here.`;
  return { ...pair, ...others(layout, pair), sources: [source, ...mapsMissing(found.compiler)] };
}

/** By the main script that the debugger has loaded: the strongest evidence, since the debuggee itself gives it. */
async function mapByScript(
  files: WorkspaceFiles,
  { dir, projects, tops, artifact }: Place,
  container: Container,
  script: string,
): Promise<PathMap | undefined> {
  const names = namesOf(container);
  const named = artifact ? [dir] : projects.filter(project => nameShared(project, names)).map(project => project.dir);
  const rest = [...projects.map(project => project.dir), ...tops].filter(one => !named.includes(one));
  const best = (await bestOf(files, named, script)) ?? (await bestOf(files, [...new Set(rest)], script));
  if (!best) return undefined;
  const { match, equal, shorter } = best;
  const { local, remote } = widen(match, tops);
  const found = `${oneLine(script)} in the container is ${join(match.local, match.file)} here (longest common end of the path).`;
  const doubts = [
    ...(equal.length > 0
      ? [
          `Not certain: it could as well be in ${equal.join(' or ')}; nothing in the names decides, and the first is taken.`,
        ]
      : []),
    ...(shorter.length > 0 ? [`A shorter end of the path is in ${shorter.join(' and ')}, too.`] : []),
  ];
  return { local, remote, sources: [found, ...doubts, ...mapsMissing(match.compiler)] };
}

async function bestOf(files: WorkspaceFiles, dirs: readonly string[], script: string) {
  const matches: ScriptMatch[] = [];
  for (const dir of dirs) {
    const match = await matchScript(files, dir, script);
    if (match) matches.push(match);
  }
  const length = Math.max(...matches.map(match => match.length));
  const [match, ...equal] = matches.filter(match => match.length === length);
  // A folder finds the files of the projects in it once more.
  const same = (other: ScriptMatch) =>
    match !== undefined && join(other.local, other.file) === join(match.local, match.file);
  const shorter = matches.filter(other => other.length < length && !same(other));
  const localOfMatch = ({ local }: ScriptMatch) => local;
  return (
    match && { match, equal: equal.filter(other => !same(other)).map(localOfMatch), shorter: shorter.map(localOfMatch) }
  );
}

/** Without source maps a debugger knows the compiled files alone. */
const mapsMissing = (compiler: Compiler | undefined): readonly string[] =>
  compiler && !compiler.makesMaps
    ? [
        `${compiler.file} makes no source maps: breakpoints in TypeScript bind only with "sourceMap" or "inlineSourceMap" in it, if nothing else compiles the program.`,
      ]
    : [];
