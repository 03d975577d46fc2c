import type { ReadFile } from './files.ts';
import { type Project, readProject } from './project.ts';

/** A skaffold.yaml of a workspace. */
export type FoundProject = Readonly<{
  project: Project;
  /** No other of them requires it: people start this one. */
  isRoot: boolean;
}>;

/**
 * Reads the skaffold.yaml files of a workspace. Those that no other requires come first, then the ones nearest to the top;
 * files that require each other in a circle are all no roots.
 */
export async function findProjects(files: readonly string[], read: ReadFile): Promise<readonly FoundProject[]> {
  const kept = new Map<string, Promise<string>>();
  const once: ReadFile = file => {
    const text = kept.get(file) ?? read(file);
    kept.set(file, text);
    return text;
  };
  const projects = await Promise.all([...new Set(files)].map(file => readProject(file, once)));
  const required = new Set(projects.flatMap(({ file, files: all }) => all.filter(other => other !== file)));
  return projects
    .map(project => ({ project, isRoot: !required.has(project.file) }))
    .toSorted((a, b) => Number(b.isRoot) - Number(a.isRoot) || depth(a) - depth(b) || byName(a, b));
}

const depth = ({ project }: FoundProject) => project.file.split(/[/\\]/).length;
const byName = (a: FoundProject, b: FoundProject) => (a.project.file < b.project.file ? -1 : 1);
