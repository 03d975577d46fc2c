import { clusterId, followId, instanceId, type SlotId, slotId } from './identity.ts';
import type { Container, DirectPort, Entry, Life, SourceName, State } from './model.ts';
import type { Reported, SkaffoldFact, SkaffoldRun } from './skaffold.ts';

/**
 * Containers that Skaffold runs in Docker on this machine: they have neither pod nor namespace, and no watch but Skaffold's
 * word; their debug ports are published here (skaffold: pkg/skaffold/docker/debugger/debug.go).
 */
export const isDirect = ({ namespace, pod }: Reported): boolean => namespace === '' && pod === '';

/** Whether a fact can change what runs in Docker; nearly none does, and there can be very many. */
export function concernsDirect(fact: SkaffoldFact): boolean {
  switch (fact.kind) {
    case 'debugging':
      return isDirect(fact.reported);
    case 'port':
      return fact.port.pod === '';
    default:
      return fact.kind === 'run' || fact.kind === 'about';
  }
}

/** The state with the containers that a run has in Docker; `before` is the run as it was. */
export function withDirect(state: State, source: SourceName, before: SkaffoldRun | undefined): State {
  const run = state.skaffold.get(source);
  if (run?.reported === before?.reported && run?.ports === before?.ports) return state;
  const now = directOf(run, source);
  if (now.length === 0 && directOf(before, source).length === 0) return state;
  const isOther = ([slot, one]: readonly [SlotId, Entry | Life]) =>
    one.source !== source || now.some(container => container.slot === slot);
  const entries = new Map([...state.entries].filter(isOther));
  const lives = new Map([...state.lives].filter(isOther));
  for (const container of now) {
    entries.set(container.slot, { container, source });
    lives.set(container.slot, { source, started: container, ended: [] });
  }
  const attaches = new Map([...state.attaches].filter(([slot]) => entries.has(slot)));
  return { ...state, entries, lives, attaches };
}

const directOf = (run: SkaffoldRun | undefined, source: SourceName): readonly Container[] =>
  run ? [...run.reported.values()].filter(isDirect).map(one => directContainer(one, run, source)) : [];

function directContainer(reported: Reported, run: SkaffoldRun, source: SourceName): Container {
  const { container, artifact, runtime, workingDir, ports } = reported;
  const at = { cluster: clusterId('', source), namespace: '', container };
  const name = artifact || container;
  const published = publishedPort(reported, run);
  return {
    ...at,
    slot: slotId(at, ''),
    id: instanceId(at, { podUid: '', restarts: 0 }),
    follow: followId({ ...at, container: name }, name), // the container is called after its image, which each build tags anew
    pod: '',
    podUid: '',
    kind: 'regular',
    workload: { kind: 'Docker', name },
    image: container,
    phase: { kind: 'running' },
    ready: true,
    restarts: 0,
    ...(published ? { direct: published.direct } : {}),
    detection: {
      verdict: published ? 'live' : 'port-unknown',
      ...(runtime ? { runtime } : {}),
      ...(published ? { port: published.port } : {}),
      ports,
      evidence: 'skaffold',
      found: 'an event of Skaffold, which runs it in Docker',
      ...(published ? {} : { reason: 'Skaffold has not said at which port of this machine its debugger listens.' }),
      ...(artifact ? { artifact } : {}),
      ...(workingDir ? { workingDir } : {}),
      listed: true,
    },
  };
}

/** Skaffold names the container of a port by its artifact here, and the port by its number alone. */
function publishedPort(
  { artifact, ports }: Reported,
  run: SkaffoldRun,
): Readonly<{ port: number; direct: DirectPort }> | undefined {
  for (const port of Object.values(ports))
    for (const { localPort, remotePort, namespace, pod, container } of run.ports.values())
      if (remotePort === port && namespace === '' && pod === '' && container === artifact)
        return { port, direct: { host: '127.0.0.1', port: localPort } };
  return undefined;
}
