import { extname, isAbsolute, join, relative } from 'node:path';
import type { Container } from '../../core/model.ts';
import type { SkaffoldRun } from '../../core/skaffold.ts';

/** Endings of the sources that a runtime's debugger can stop in. */
const sources: Readonly<Record<string, readonly string[]>> = {
  nodejs: ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx', '.vue', '.svelte'],
  jvm: ['.java', '.kt', '.kts', '.scala', '.groovy', '.clj'],
  python: ['.py', '.pyi'],
  go: ['.go'],
  netcore: ['.cs', '.fs', '.vb', '.cshtml', '.razor'],
};

/**
 * Whether one of these files with breakpoints may belong to a container: its language is the container's, and it is in
 * the folder of the container's artifact, where that is known. Of a runtime that is not known, each may.
 */
export function mayHit(
  { detection }: Pick<Container, 'detection'>,
  run: Pick<SkaffoldRun, 'about' | 'artifacts'> | undefined,
  files: readonly string[],
): boolean {
  const endings = sources[detection.runtime ?? ''];
  const folder = folderOf(detection.artifact, run);
  return files.some(file => (endings?.includes(extname(file)) ?? true) && (folder === undefined || isIn(folder, file)));
}

/** The folder of an artifact; undefined while nobody has told it. */
function folderOf(name: string | undefined, run: Pick<SkaffoldRun, 'about' | 'artifacts'> | undefined) {
  const context = run?.artifacts.find(artifact => artifact.name === name)?.context;
  if (context === undefined) return undefined;
  if (isAbsolute(context)) return context;
  return run?.about?.folder === undefined ? undefined : join(run.about.folder, context);
}

function isIn(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}
