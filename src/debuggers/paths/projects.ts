import { basename, join, sep } from 'node:path';
import type { WorkspaceFiles } from '../../core/contracts.ts';
import type { Container } from '../../core/model.ts';
import { projectLimits, walk } from '../../lib/walk.ts';

/** A local directory with a file that makes it a project of the runtime. */
export interface Project {
  readonly dir: string;
  /** The file: `package.json`. */
  readonly marker: string;
}

/** Files that mark a project; the first one found counts. */
const MARKERS: Readonly<Record<string, readonly string[]>> = {
  jvm: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
  nodejs: ['package.json', 'deno.json'],
  python: ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile', 'manage.py'],
  go: ['go.mod'],
  deno: ['deno.json', 'deno.jsonc', 'package.json'],
  bun: ['package.json', 'bunfig.toml'],
  ruby: ['Gemfile', 'config.ru'],
  native: ['Cargo.toml', 'CMakeLists.txt', 'meson.build', 'Makefile'],
};

/** Source files: where no file marks a project, the topmost directories with one of these are the projects. */
const SOURCES: Readonly<Record<string, RegExp>> = {
  jvm: /\.(?:java|kt|scala)$/,
  nodejs: /\.[cm]?[jt]sx?$/,
  python: /\.py$/,
  go: /\.go$/,
  deno: /\.[cm]?[jt]sx?$/,
  bun: /\.[cm]?[jt]sx?$/,
  ruby: /\.rb$/,
  native: /\.(?:c|cc|cpp|cxx|rs)$/,
};

/** The projects in directories, those nearest to one of them first; bounded in depth and number. */
export async function findProjects(
  { list }: Pick<WorkspaceFiles, 'list'>,
  dirs: readonly string[],
  runtime: string | undefined,
): Promise<Project[]> {
  const markers = Object.hasOwn(MARKERS, runtime ?? '') ? MARKERS[runtime!]! : [];
  const source = Object.hasOwn(SOURCES, runtime ?? '') ? SOURCES[runtime!]! : undefined;
  const projects: Project[] = [];
  const unmarked: Project[] = [];
  for await (const { dir, entries } of walk(dirs, list, projectLimits)) {
    const marker = markers.find(name => entries.some(entry => entry.name === name && !entry.isDirectory));
    if (marker !== undefined) projects.push({ dir, marker });
    const first = entries.find(({ name, isDirectory }) => !isDirectory && source?.test(name));
    if (first && !unmarked.some(above => dir.startsWith(join(above.dir, sep))))
      unmarked.push({ dir, marker: first.name });
  }
  return projects.length > 0 ? projects : unmarked;
}

/** Names of a container, each with what it is the name of; the best first. */
export function namesOf({ detection, container, workload, image }: Container): { name: string; of: string }[] {
  return [
    ...(detection.artifact === undefined ? [] : [{ name: lastSegment(detection.artifact), of: 'artifact' }]),
    { name: container, of: 'container' },
    { name: workload.name, of: workload.kind },
    { name: lastSegment(image), of: 'image' },
  ].filter(({ name }) => name !== '');
}

/** The name by which a project has the container's, if it has one; names are compared whole. */
export const nameShared = ({ dir }: Project, names: readonly { name: string; of: string }[]) =>
  names.find(({ name }) => name === basename(dir));

/** `registry/team/app:v1@sha256:…` → `app`. */
const lastSegment = (image: string): string => image.replace(/@.*$/s, '').replace(/^.*\//s, '').replace(/:.*$/s, '');
