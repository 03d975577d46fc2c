import path from 'node:path';
import { type Mapping, mappingAt, mappingsAt, present, textAt, textsAt } from '../../lib/mapping.ts';
import { type Artifact, readArtifacts } from './artifact.ts';

/** Configurations that a module takes in. */
export type Requirement = Readonly<{
  /** File or folder, absolute; absent for those of the same file, or for `remote` ones. */
  path?: string;
  /** Where it comes from, for people, when that is not this disk. */
  remote?: string;
  /** Only these modules of the file; empty: all. */
  modules: readonly string[];
}>;

/** One configuration of a skaffold.yaml, as far as it matters here. */
export type Module = Readonly<{
  file: string;
  name?: string;
  profiles: readonly string[];
  artifacts: readonly Artifact[];
  requires: readonly Requirement[];
  /** Deploys to a Docker daemon or to Cloud Run, be it only in one of its profiles. */
  needsNoCluster: boolean;
  /** The contexts of the kubeconfig that it deploys to: its own, and those of profiles. */
  contexts: readonly Readonly<{ profile?: string; context: string }>[];
}>;

/**
 * The configuration in a document of `file` (skaffold `schema/latest/config.go`; older versions have other names for an
 * artifact's fields). Fields of a wrong type count as absent. Paths are relative to the file: Skaffold runs in its folder.
 */
export function readModule(file: string, of: Mapping): Module {
  const folder = path.dirname(file);
  const profiles = mappingsAt(of, 'profiles');
  return present<Module>({
    file,
    name: textAt(mappingAt(of, 'metadata'), 'name'),
    profiles: profiles.map(profile => textAt(profile, 'name')).filter(name => name !== undefined),
    artifacts: [of, ...profiles].flatMap(one =>
      readArtifacts(folder, one, one === of ? undefined : textAt(one, 'name')),
    ),
    requires: mappingsAt(of, 'requires').map(requirement => readRequirement(folder, requirement)),
    needsNoCluster: [of, ...profiles].map(deployOf).some(deploy => 'docker' in deploy || 'cloudrun' in deploy),
    contexts: [...contextsOf(of, undefined), ...profiles.flatMap(one => contextsOf(one, textAt(one, 'name')))],
  });
}

const deployOf = (of: Mapping): Mapping => mappingAt(of, 'deploy');

/** A template says nothing before Skaffold has run. */
function contextsOf(of: Mapping, profile: string | undefined): Module['contexts'] {
  const context = textAt(deployOf(of), 'kubeContext');
  return context && !context.includes('{{') ? [{ context, ...(profile === undefined ? {} : { profile }) }] : [];
}

function readRequirement(folder: string, of: Mapping): Requirement {
  const written = textAt(of, 'path');
  const remote = remoteOf(of) ?? (written && /^https?:\/\//.test(written) ? written : undefined);
  return present<Requirement>({
    modules: textsAt(of, 'configs').filter(Boolean),
    remote,
    path: written && !remote ? path.resolve(folder, written) : undefined,
  });
}

function remoteOf(of: Mapping): string | undefined {
  const git = textAt(mappingAt(of, 'git'), 'repo');
  const storage = textAt(mappingAt(of, 'googleCloudStorage'), 'source');
  const build = mappingAt(of, 'googleCloudBuildRepoV2');
  return git ?? storage ?? textAt(build, 'repo') ?? ('googleCloudBuildRepoV2' in of ? 'Cloud Build' : undefined);
}
