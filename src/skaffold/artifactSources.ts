import path from 'node:path';
import { builtAs } from '../core/built.ts';
import type { ArtifactSource, ArtifactSources, WorkspaceFiles } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import type { SkaffoldRun } from '../core/skaffold.ts';
import { present } from '../lib/mapping.ts';
import { projectLimits, walk } from '../lib/walk.ts';
import type { ReadFile } from './project/files.ts';
import type { Module } from './project/module.ts';
import { findProjects } from './project/roots.ts';

/** Who knows what is built. */
export interface SourcesParts {
  readonly files: WorkspaceFiles;
  readonly read: ReadFile;
  /** The Skaffold that has deployed it, if one runs. */
  runOf(container: Container): SkaffoldRun | undefined;
}

/** A folder that is opened may be a part of a project whose skaffold.yaml is above it. */
const MOST_ABOVE = 4;

/** By the Skaffold that has deployed the container, and by the skaffold.yaml files of the workspace, which know more of each artifact. */
export const artifactSources = (parts: SourcesParts): ArtifactSources => ({
  async sourcesOf(container) {
    const run = parts.runOf(container);
    const written = builtAs(container, await artifactsIn(await skaffoldFiles(parts.files, run), parts.read));
    const running = run ? builtAs(container, artifactsOfRun(run)) : [];
    if (running.length === 0) return distinct(written);
    const same = written.filter(({ context }) => running.some(other => other.context === context));
    return distinct(same.length > 0 ? same : running);
  },
});

/** Those of a running Skaffold, whose folders are relative to that in which it runs. */
function artifactsOfRun({ artifacts, about }: SkaffoldRun): readonly ArtifactSource[] {
  const folder = about?.folder;
  return artifacts.flatMap(({ name, builder, context }) => {
    const isKnown = folder !== undefined || path.isAbsolute(context);
    const at = isKnown ? path.resolve(folder ?? '/', context) : undefined;
    const kind = builder.toLowerCase();
    return at === undefined
      ? []
      : [
          present<ArtifactSource>({
            image: name,
            context: at,
            builder: kind,
            dockerfile: kind === 'docker' ? path.join(at, 'Dockerfile') : undefined,
            from: 'the running Skaffold',
          }),
        ];
  });
}

async function artifactsIn(files: readonly string[], read: ReadFile): Promise<readonly ArtifactSource[]> {
  if (files.length === 0) return [];
  const projects = await findProjects(files, read);
  const modules = new Map(projects.flatMap(({ project }) => project.modules).map(module => [keyOf(module), module]));
  return [...modules.values()].flatMap(({ file, artifacts }) =>
    artifacts.map(({ profile, ...artifact }) => ({
      ...artifact,
      from: profile === undefined ? file : `${file}, profile ${profile}`,
    })),
  );
}

/** A module that several files require is read with each of them. */
const keyOf = ({ file, name, artifacts }: Module) => JSON.stringify([file, name, artifacts]);

/** Those in the open folders and above them, and that of the running Skaffold. */
async function skaffoldFiles(files: WorkspaceFiles, run: SkaffoldRun | undefined): Promise<readonly string[]> {
  const found = new Set<string>();
  const look = async (dir: string, entries?: Awaited<ReturnType<WorkspaceFiles['list']>>) => {
    const names = (entries ?? (await files.list(dir)))
      .filter(({ isDirectory }) => !isDirectory)
      .map(({ name }) => name);
    const name = ['skaffold.yaml', 'skaffold.yml'].find(one => names.includes(one));
    if (name !== undefined) found.add(path.join(dir, name));
  };
  if (run?.about?.folder !== undefined) await look(run.about.folder);
  for await (const { dir, entries } of walk(files.folders, files.list, projectLimits)) await look(dir, entries);
  for (const dir of files.folders.flatMap(above)) await look(dir);
  return [...found];
}

function above(folder: string): readonly string[] {
  const dirs: string[] = [];
  for (let dir = path.dirname(folder); dirs.length < MOST_ABOVE && dir !== path.dirname(dir); dir = path.dirname(dir))
    dirs.push(dir);
  return dirs;
}

/** Profiles and modules that build an artifact in the same way count once. */
function distinct(artifacts: readonly ArtifactSource[]): readonly ArtifactSource[] {
  const kept = new Map<string, ArtifactSource>();
  for (const artifact of artifacts) {
    const { context, builder, dockerfile, target, buildArgs, folder } = artifact;
    const key = JSON.stringify([context, builder, dockerfile, target, buildArgs, folder]);
    if (!kept.has(key)) kept.set(key, artifact);
  }
  return [...kept.values()];
}
