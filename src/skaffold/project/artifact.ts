import path from 'node:path';
import type { ArtifactSource } from '../../core/contracts.ts';
import { isMapping, type Mapping, mappingAt, mappingsAt, present, textAt } from '../../lib/mapping.ts';

/** What Skaffold builds, and where its sources are. */
export type Artifact = Omit<ArtifactSource, 'from' | 'isChosen'> &
  Readonly<{
    /** It is built so with this profile only. */
    profile?: string;
  }>;

const builders: readonly string[] = [
  'docker',
  'bazel',
  'ko',
  'jib',
  'jibMaven',
  'jibGradle',
  'kaniko',
  'buildpacks',
  'custom',
];

/** The artifacts of a configuration, or of one of its profiles. Paths are relative to `folder`. */
export const readArtifacts = (folder: string, of: Mapping, profile: string | undefined): readonly Artifact[] =>
  mappingsAt(mappingAt(of, 'build'), 'artifacts').flatMap(artifact => readArtifact(folder, artifact, profile));

function readArtifact(folder: string, of: Mapping, profile: string | undefined): readonly Artifact[] {
  const image = textAt(of, 'image') ?? textAt(of, 'imageName');
  if (image === undefined) return [];
  const context = path.resolve(folder, textAt(of, 'context') ?? textAt(of, 'workspace') ?? '.');
  const builder = builders.find(name => name in of) ?? 'docker';
  const own = mappingAt(of, builder);
  return [
    present<Artifact>({
      image,
      context,
      builder,
      profile,
      ...dockerfileOf(context, builder, own),
      folder: partOf(context, builder, own),
    }),
  ];
}

type ByDockerfile = {
  dockerfile?: string | undefined;
  target?: string | undefined;
  buildArgs?: Artifact['buildArgs'] | undefined;
};

/** A Dockerfile is named relative to the context (skaffold `docker/parse.go`, NormalizeDockerfilePath). */
function dockerfileOf(context: string, builder: string, own: Mapping): ByDockerfile {
  const byCustom = mappingAt(mappingAt(own, 'dependencies'), 'dockerfile');
  const isKnown = builder === 'docker' || builder === 'kaniko' || 'path' in byCustom;
  if (!isKnown) return {};
  const written =
    textAt(own, 'dockerfile') ?? textAt(own, 'dockerfilePath') ?? textAt(byCustom, 'path') ?? 'Dockerfile';
  const buildArgs = argsOf(isMapping(own['buildArgs']) ? own['buildArgs'] : mappingAt(byCustom, 'buildArgs'));
  return { dockerfile: path.resolve(context, written), target: textAt(own, 'target'), buildArgs };
}

function argsOf(of: Mapping): Artifact['buildArgs'] | undefined {
  const known = Object.keys(of).flatMap(name => {
    const value = textAt(of, name);
    return value === undefined || value.includes('{{') ? [] : [[name, value] as const];
  });
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function partOf(context: string, builder: string, own: Mapping): string | undefined {
  if (builder === 'ko') {
    const parts = [textAt(own, 'dir'), textAt(own, 'main')].filter(part => part !== undefined);
    return parts.length > 0 ? path.resolve(context, ...parts.map(part => part.replace(/\/\.\.\.$/, ''))) : undefined;
  }
  const project = builder.startsWith('jib') ? (textAt(own, 'project') ?? textAt(own, 'module')) : undefined;
  if (project === undefined) return undefined;
  return path.resolve(context, ...moduleFolders(project, builder === 'jibGradle' || textAt(own, 'type') === 'gradle'));
}

/** Gradle: `:path:of:it`. Maven: a path, or `group:artifact`, of which the folder has the name of the artifact by custom. */
function moduleFolders(project: string, isGradle: boolean): readonly string[] {
  const names = project.split(':');
  return isGradle || project.startsWith(':') ? names : names.slice(-1);
}
