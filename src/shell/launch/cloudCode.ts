import { isMapping, type Mapping, mappingAt, mappingsAt, present, textAt, textsAt } from '../../lib/mapping.ts';
import { debugType } from './launchOptions.ts';

/** A configuration as it stands in launch.json. */
export type Written = Readonly<{ name: string; type: string; request: string }> & Mapping;

/** The launch configurations of Cloud Code in a launch.json; those that attach to a pod need none here. */
export const cloudCodeIn = (configurations: unknown): readonly Mapping[] =>
  (Array.isArray(configurations) ? configurations : [])
    .filter(isMapping)
    .filter(one => one['type'] === 'cloudcode.kubernetes' && one['request'] === 'launch');

/**
 * What a launch configuration of Cloud Code says, as one of ours (its fields: the launch.json reference of Cloud Code for
 * VS Code). Redeploying by each change, `watch`, is what `skaffold debug` leaves off by itself.
 */
export function fromCloudCode(of: Mapping): Written {
  const registry = textAt(of, 'imageRegistry');
  const args = [
    ...(registry === undefined ? [] : ['--default-repo', registry]),
    ...(of['watch'] === true ? WATCHING : []),
  ];
  const profiles = [...textsAt(of, 'profiles'), textAt(of, 'profile') ?? ''].filter(Boolean);
  const artifacts = mappingsAt(of, 'debug').flatMap(artifactOf);
  const named = `${textAt(of, 'name') ?? 'Kubernetes'} (Breakpod)`;
  return present<Written>({
    name: named,
    type: debugType,
    request: 'launch',
    skaffoldFile: textAt(of, 'skaffoldConfig'),
    modules: modulesOf(of),
    profiles: profiles.length > 0 ? profiles : undefined,
    args: args.length > 0 ? args : undefined,
    portForward: of['portForward'] === false ? ['off'] : undefined,
    cleanUp: typeof of['cleanUp'] === 'boolean' ? of['cleanUp'] : undefined,
    artifacts: artifacts.length > 0 ? artifacts : undefined,
  });
}

/** As `skaffold dev` does (Skaffold cmd/skaffold/app/cmd/debug.go turns them off). */
const WATCHING = ['--auto-build', '--auto-sync', '--auto-deploy'];

function modulesOf(of: Mapping): readonly string[] | undefined {
  const modules = textsAt(of, 'modules').filter(Boolean);
  return modules.length > 0 ? modules : undefined;
}

/** `sourceFileMap` goes from here to the container; each debugger takes the fields that it knows. */
function artifactOf(of: Mapping): readonly Mapping[] {
  const image = textAt(of, 'image');
  const pairs = Object.entries(mappingAt(of, 'sourceFileMap')).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const [first] = pairs;
  if (image === undefined || !first) return [];
  const configuration = {
    localRoot: first[0],
    remoteRoot: first[1],
    pathMappings: pairs.map(([localRoot, remoteRoot]) => ({ localRoot, remoteRoot })),
    substitutePath: pairs.map(([from, to]) => ({ from, to })),
  };
  return [{ image, configuration }];
}
