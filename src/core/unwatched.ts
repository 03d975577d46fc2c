import { isDirect } from './direct.ts';
import { clusterId, followId, instanceId, slotId } from './identity.ts';
import type { Container, SourceName, State } from './model.ts';
import { type Reported, reportedKey } from './skaffold.ts';

/** A container that a running Skaffold reports and the watch does not have. */
export type Unwatched = Readonly<{
  container: Container;
  source: SourceName;
  /** Its namespace is watched, so that it should be there. */
  isMissed: boolean;
}>;

/**
 * Containers that only a running Skaffold tells of. What it reported before its latest deploy and a watch does not have is
 * gone: Skaffold misses ends while it deploys (skaffold: pkg/skaffold/runner/dev.go stops its own watch meanwhile).
 */
export function unwatchedOf(state: State): readonly Unwatched[] {
  if (state.skaffold.size === 0) return []; // as nearly always, and this runs for each redraw
  const watched = new Set([...state.entries.values()].map(({ container }) => reportedKey(container)));
  return [...state.skaffold].flatMap(([source, { reported, earlier }]) =>
    [...reported].flatMap(([key, one]) => {
      if (watched.has(key) || isDirect(one)) return [];
      const isMissed = isWatched(state, one.namespace);
      return isMissed && earlier.has(key) ? [] : [{ container: unwatched(one, source), source, isMissed }];
    }),
  );
}

/** Whether a watch reads the pods of a namespace at the moment. */
export const isWatched = ({ sources }: State, namespace: string): boolean =>
  [...sources].some(([source, { kind }]) => {
    const scope = kind === 'watching' ? podScope.exec(source) : null;
    return scope !== null && (scope[1] === undefined || scope[1] === namespace);
  });

/** Sources of pods are named after their namespace, and after their context (`pods/shop of dev`). */
const podScope = /^pods(?:\/(\S+))?(?: of |$)/;

function unwatched(
  { namespace, pod, container, artifact, runtime, workingDir, ports }: Reported,
  source: SourceName,
): Container {
  const at = { cluster: clusterId('', source), namespace, container };
  const workload = { kind: 'Pod', name: pod || artifact };
  const port = Object.values(ports)[0];
  return {
    ...at,
    slot: slotId(at, pod),
    id: instanceId(at, { podUid: pod, restarts: 0 }),
    follow: followId(at, workload.name),
    pod,
    podUid: '',
    kind: 'regular',
    workload,
    image: '',
    phase: { kind: 'waiting', reason: 'unknown' },
    ready: false,
    restarts: 0,
    detection: {
      verdict: 'live',
      ...(runtime ? { runtime } : {}),
      ...(port === undefined ? {} : { port }),
      ports,
      evidence: 'skaffold',
      found: 'an event of Skaffold',
      ...(artifact ? { artifact } : {}),
      ...(workingDir ? { workingDir } : {}),
      listed: true,
    },
  };
}
