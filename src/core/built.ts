import { isDebuggable } from './lives.ts';
import type { Container, SourceName, State } from './model.ts';
import { runOf, type SkaffoldRun } from './skaffold.ts';

/** An artifact that Skaffold has built and deployed, and that no debugger can be attached to. */
export type Undebuggable = Readonly<{ artifact: string; /** A sentence. */ reason: string }>;

/**
 * Artifacts of a run of which no container is there, once it has deployed. Those whose containers are there and not
 * debuggable have rows that say why. Without a watch nobody knows: Skaffold can be silent about containers that run.
 */
export function undebuggableOf(state: State, source: SourceName, run: SkaffoldRun): readonly Undebuggable[] {
  if (run.ended || !run.hasDeployed || run.artifacts.length === 0 || isDeploying(run)) return [];
  if (![...state.sources].some(([name, { kind }]) => name.startsWith('pods') && kind === 'watching')) return [];
  const containers = [...state.entries.values()]
    .map(({ container }) => container)
    .filter(container => runOf(state, container) === source);
  const reported = new Set([...run.reported.values()].map(({ artifact }) => artifact));
  return run.artifacts
    .filter(({ name }) => !reported.has(name) && !containers.some(container => isBuiltFrom(container, name)))
    .map(({ name }) => ({ artifact: name, reason: reasonOf(name, run, containers) }));
}

const isDeploying = ({ progress }: SkaffoldRun): boolean => progress.get('["Deploy",""]')?.status === 'running';

/** Whether a container is one of an artifact: by its pod's own word, else by its image. */
export const isBuiltFrom = ({ detection, image }: Container, artifact: string): boolean =>
  detection.artifact === undefined ? isImageOf(image, artifact) : detection.artifact === artifact;

function reasonOf(artifact: string, run: SkaffoldRun, containers: readonly Container[]): string {
  const said = [...run.notConfigured].find(([image]) => isImageOf(image, artifact))?.[1];
  if (said) return `Skaffold has not set it up for debugging: ${said}.`;
  const others = containers.filter(({ detection }) => isDebuggable(detection)).length;
  return others > 0
    ? 'No pod of this run has it set up for debugging, and Skaffold does not say why.'
    : 'No debuggable container of this run has been seen in the namespaces that are watched.';
}

/**
 * Of artifacts those that a container was built as: by the name that its annotation or Skaffold gives, else by its image;
 * of several whose names fit the image, those with the longest.
 */
export function builtAs<T extends Readonly<{ image: string }>>(
  { detection, image }: Pick<Container, 'detection' | 'image'>,
  artifacts: readonly T[],
): readonly T[] {
  const named = artifacts.filter(artifact => artifact.image === detection.artifact);
  if (named.length > 0) return named;
  const fitting = artifacts.filter(artifact => isImageOf(detection.artifact ?? image, artifact.image));
  const longest = Math.max(...fitting.map(artifact => artifact.image.length));
  return fitting.filter(artifact => artifact.image.length === longest);
}

/**
 * Whether an image was built as an artifact: the name of the one ends with that of the other, whose signs Skaffold replaces
 * where it puts another registry before it (skaffold: pkg/skaffold/docker/default_repo.go).
 */
function isImageOf(image: string, artifact: string): boolean {
  const name = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
  const own = artifact.replace(/^ko:\/\//, '');
  return [own, own.replaceAll(/[/._:@]/g, '_')].some(end => name === end || name.endsWith(`/${end}`));
}
