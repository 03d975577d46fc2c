import { isDebuggable } from './lives.ts';
import type { Failure, Step } from './errors.ts';
import { clusterId, followId, instanceId, type SlotId, slotId } from './identity.ts';
import type { Container, Session, SourceName, SourceState, State, Workload } from './model.ts';
import { type Reported, reportedKey, reportersOf } from './skaffold.ts';

/** The one word that a row shows. */
export type DebugState =
  | 'not-debuggable'
  | 'starting'
  | 'waiting-for-listener'
  | 'ready'
  | 'attaching'
  | 'attached'
  | 'paused'
  | 'lost'
  | 'terminating'
  | 'ended';

/** One container as people see it. */
export type Row = Readonly<{
  container: Container;
  state: DebugState;
  /** Why, for people. */
  reason?: string;
  /** A click may attach. */
  isAttachable: boolean;
  /** The step of an attach that is under way. */
  step?: Step;
  /** How the last attach failed. */
  failure?: Failure;
  session?: Session;
  /** Its source is not connected: the row may be out of date. */
  isStale: boolean;
  /** Who sees it: the pod watch, a running Skaffold, or both. */
  seenBy: readonly SourceName[];
}>;

/** Containers of one workload, in the order of the tree. */
export type WorkloadRows = Readonly<{ cluster: string; namespace: string; workload: Workload; rows: readonly Row[] }>;

/** All rows, sorted by namespace, workload, pod and container. */
export function rowsOf(state: State): readonly Row[] {
  const sessions = new Map([...state.sessions.values()].map(session => [session.slot, session]));
  const watched = [...state.entries.values()].map(({ container, source }) => rowOf(container, state, sessions, source));
  return [...watched, ...unwatchedRows(state)].sort(byPlace);
}

/** Containers that only a running Skaffold tells of. Whether they still live nobody knows, so they are not attachable. */
function unwatchedRows(state: State): readonly Row[] {
  if (state.skaffold.size === 0) return []; // as nearly always, and this runs for each redraw
  const watched = new Set([...state.entries.values()].map(({ container }) => reportedKey(container)));
  return [...state.skaffold].flatMap(([source, { reported }]) =>
    [...reported.values()]
      .filter(one => !watched.has(reportedKey(one)))
      .map(one => ({
        container: unwatched(one),
        state: 'starting' as const,
        reason: 'Skaffold has reported it; the pods are not watched, so its state is not known',
        isAttachable: false,
        isStale: isStale(state.sources.get(source)),
        seenBy: [source],
      })),
  );
}

function unwatched({ namespace, pod, container, artifact, runtime, workingDir, ports }: Reported): Container {
  const at = { cluster: clusterId('', ''), namespace, container };
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
      runtime,
      ...(port === undefined ? {} : { port }),
      ports,
      evidence: 'skaffold',
      found: 'an event of Skaffold',
      artifact,
      workingDir,
      listed: true,
    },
  };
}

const isStale = (source: SourceState | undefined): boolean =>
  source !== undefined && source.kind !== 'watching' && source.kind !== 'connecting';

/** The row of one container, if it is there. */
export const rowAt = (state: State, slot: SlotId): Row | undefined =>
  rowsOf({ ...state, entries: new Map([...state.entries].filter(([id]) => id === slot)) }).find(
    ({ container }) => container.slot === slot,
  );

/** Rows gathered by workload. */
export function workloadsOf(rows: readonly Row[]): readonly WorkloadRows[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { cluster, namespace, workload } = row.container;
    const key = JSON.stringify([cluster, namespace, workload.kind, workload.name]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map(group => {
    const { cluster, namespace, workload } = group[0]!.container;
    return { cluster, namespace, workload, rows: group };
  });
}

function rowOf(container: Container, state: State, sessions: ReadonlyMap<SlotId, Session>, source: SourceName): Row {
  const session = sessions.get(container.slot);
  const attach = state.attaches.get(container.slot);
  const said = session ? ofSession(session, container) : ofLife(container);
  const now = attach?.kind === 'running' && !session ? ofStep(attach.step) : said;
  return {
    container,
    ...now,
    isAttachable: now.state === 'ready',
    ...(attach?.kind === 'running' ? { step: attach.step } : {}),
    ...(attach?.kind === 'failed' && !session ? { failure: attach.failure } : {}),
    ...(session ? { session } : {}),
    isStale: isStale(state.sources.get(source)),
    seenBy: [source, ...reportersOf(state.skaffold, container)],
  };
}

type Said = Readonly<{ state: DebugState; reason?: string }>;

const ofSession = (session: Session, container: Container): Said => {
  if (session.instance !== container.id) return { state: 'lost', reason: 'the container was restarted' };
  return { state: session.paused ? 'paused' : 'attached' };
};

const ofStep = (step: Step): Said => ({ state: step === 'listener' ? 'waiting-for-listener' : 'attaching' });

function ofLife({ phase, detection, last, restarts }: Container): Said {
  if (phase.kind === 'terminated') {
    const end = endText(phase.reason, phase.exitCode, phase.message);
    if (!phase.willRestart) return { state: 'ended', reason: end };
    return { state: 'starting', reason: `its last run ended (${end}); it is started again, restart ${restarts + 1}` };
  }
  if (phase.kind === 'terminating') return { state: 'terminating', reason: 'its pod is being deleted' };
  if (!isDebuggable(detection)) return { state: 'not-debuggable', ...reason(detection.reason) };
  if (phase.kind === 'waiting') {
    const before = last ? `last run: ${endText(last.reason, last.exitCode, last.message)}` : undefined;
    return { state: 'starting', reason: [phase.reason, phase.message, before].filter(Boolean).join('; ') };
  }
  if (detection.verdict === 'port-unknown') return { state: 'not-debuggable', ...reason(detection.reason) };
  return { state: 'ready', ...reason(detection.reason) };
}

const reason = (text: string | undefined) => (text ? { reason: text } : {});

const endText = (why: string, exitCode: number, message?: string) =>
  [`${why || 'ended'}, exit code ${exitCode}`, message].filter(Boolean).join(': ');

const placeOf = ({ container: c }: Row) => [c.namespace, c.workload.name, c.workload.kind, c.pod, c.container];

function byPlace(a: Row, b: Row): number {
  const left = placeOf(a);
  const right = placeOf(b);
  for (const [i, part] of left.entries()) {
    const order = part.localeCompare(right[i]!, 'en');
    if (order !== 0) return order;
  }
  return 0;
}
