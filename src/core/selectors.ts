import { lastWordsOf, lineText } from './explain/lastWords.ts';
import { killText, probeKillOf } from './explain/probeKill.ts';
import { heirsOf } from './follow/heirs.ts';
import { leasesOf } from './leases.ts';
import { isDebuggable } from './lives.ts';
import type { Failure, Step } from './errors.ts';
import type { SlotId } from './identity.ts';
import type { Container, HeldLease, Session, SourceName, SourceState, State, Workload } from './model.ts';
import { type AnnouncedPort, reportedKey, reportersOf, runOf } from './skaffold.ts';
import { type Unwatched, unwatchedOf } from './unwatched.ts';

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
  /** The program does not begin before a debugger is attached. */
  waitsForYou: boolean;
  /** The step of an attach that is under way. */
  step?: Step;
  /** How the last attach failed. */
  failure?: Failure;
  session?: Session;
  /** Name of a debugger that was lost and comes back to this container. */
  followed?: string;
  /** What a pause costs it beside what its probes do. */
  leases?: readonly HeldLease[];
  /** Its source is not connected: the row may be out of date. */
  isStale: boolean;
  /** Who sees it: the pod watch, a running Skaffold, or both. */
  seenBy: readonly SourceName[];
  /** The running Skaffold that it belongs to. */
  run?: SourceName;
  /** Who sees it otherwise, a sentence. For a moment that is nothing: no two sources are equally fast. */
  disagreement?: string;
  /** What Skaffold has announced to forward to it; debuggers do not use them. */
  announced?: readonly AnnouncedPort[];
}>;

/** Containers of one workload, in the order of the tree. */
export type WorkloadRows = Readonly<{ cluster: string; namespace: string; workload: Workload; rows: readonly Row[] }>;

/** All rows, sorted by namespace, workload, pod and container. */
export function rowsOf(state: State): readonly Row[] {
  const look = lookAt(state);
  const watched = [...state.entries.values()].map(({ container, source }) => rowOf(container, source, look));
  return [...watched, ...unwatchedOf(state).map(one => unwatchedRow(one, look))].sort(byPlace);
}

/** The row of one container, if it is there. */
export function rowAt(state: State, slot: SlotId): Row | undefined {
  const look = lookAt(state);
  const entry = state.entries.get(slot);
  if (entry) return rowOf(entry.container, entry.source, look);
  const one = unwatchedOf(state).find(({ container }) => container.slot === slot);
  return one && unwatchedRow(one, look);
}

/** A state with what rows look up in it. */
interface Look {
  readonly state: State;
  readonly sessions: ReadonlyMap<SlotId, Session>;
  /** Names of the debuggers that come back. */
  readonly followed: ReadonlyMap<SlotId, string>;
  /** By `reportedKey`. */
  readonly announced: ReadonlyMap<string, readonly AnnouncedPort[]>;
}

const lookAt = (state: State): Look => ({
  state,
  sessions: new Map([...state.sessions.values()].map(session => [session.slot, session])),
  followed: new Map([...heirsOf(state)].map(([id, { slot }]) => [slot, state.following.get(id)!.name])),
  announced: Map.groupBy(
    [...state.skaffold.values()].flatMap(({ ports }) => [...ports.values()]),
    reportedKey,
  ),
});

/** Whether it lives nobody knows, or nobody but Skaffold says so: it is not attachable. */
const unwatchedRow = ({ container, source, isMissed }: Unwatched, look: Look): Row => ({
  container,
  state: isMissed ? 'ended' : 'starting',
  reason: isMissed
    ? 'there is no such container in the cluster that is watched'
    : 'Skaffold has reported it; its pods are not watched, so its state is not known',
  isAttachable: false,
  waitsForYou: false,
  isStale: isStale(look.state.sources.get(source)),
  seenBy: [source],
  ...ofSkaffold(container, look),
  ...(isMissed ? { disagreement: 'Skaffold says that it runs, and the pod watch does not have it.' } : {}),
});

/** What is known of a container by way of Skaffold. */
function ofSkaffold(container: Container, { state, announced }: Look): Pick<Row, 'run' | 'announced'> {
  if (state.skaffold.size === 0) return {};
  const run = runOf(state, container);
  const ports = container.direct ? undefined : announced.get(reportedKey(container));
  return { ...(run === undefined ? {} : { run }), ...(ports ? { announced: ports } : {}) };
}

/** Skaffold learns of an end later than the watch, or never. */
const disagreementOf = ({ phase }: Container, reporters: readonly SourceName[]): Pick<Row, 'disagreement'> =>
  reporters.length > 0 && (phase.kind === 'terminated' || phase.kind === 'waiting')
    ? { disagreement: 'Skaffold says that it runs, and the pod watch has seen that it does not.' }
    : {};

const isStale = (source: SourceState | undefined): boolean =>
  source !== undefined && source.kind !== 'watching' && source.kind !== 'connecting';

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

function rowOf(container: Container, source: SourceName, look: Look): Row {
  const { state } = look;
  const session = look.sessions.get(container.slot);
  const reporters = reportersOf(state.skaffold, container);
  const attach = state.attaches.get(container.slot);
  const said = session ? ofSession(session, container) : ofLife(container);
  const now = attach?.kind === 'running' && !session ? ofStep(attach) : withPast(said, state, container);
  const followed = look.followed.get(container.slot);
  const leases = leasesOf(state, container);
  return {
    container,
    ...now,
    isAttachable: now.state === 'ready',
    waitsForYou: now.state === 'ready' && container.detection.verdict === 'suspended' && !state.woken.has(container.id),
    ...(attach?.kind === 'running' ? { step: attach.step } : {}),
    ...(attach?.kind === 'failed' && !session ? { failure: attach.failure } : {}),
    ...(session ? { session } : {}),
    ...(followed === undefined ? {} : { followed }),
    ...(leases.length > 0 ? { leases } : {}),
    isStale: isStale(state.sources.get(source)),
    seenBy: [...new Set([source, ...reporters])],
    ...ofSkaffold(container, look),
    ...disagreementOf(container, reporters),
  };
}

/** A crash is told with the program's own last line; that its log cannot be read is told where somebody asks. */
function withPast(said: Said, state: State, container: Container): Said {
  const words = lastWordsOf(state, container);
  const kill = probeKillOf(state, container);
  const more = [words && 'line' in words ? lineText(words.line) : undefined, kill && killText(kill)].filter(Boolean);
  return more.length === 0 ? said : { ...said, reason: [said.reason, ...more].filter(Boolean).join('; ') };
}

type Said = Readonly<{ state: DebugState; reason?: string }>;

const ofSession = (session: Session, container: Container): Said => {
  if (session.instance !== container.id) return { state: 'lost', reason: 'the container was restarted' };
  return { state: session.paused ? 'paused' : 'attached' };
};

const ofStep = ({ step, waitsFor }: { step: Step; waitsFor?: string }): Said => ({
  state: step === 'listener' ? 'waiting-for-listener' : 'attaching',
  ...reason(waitsFor),
});

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

/** Many times faster than `localeCompare`, and there may be thousands of rows; the first of a process costs milliseconds. */
let collator: Intl.Collator | undefined;

function byPlace(a: Row, b: Row): number {
  collator ??= new Intl.Collator('en');
  const left = placeOf(a);
  const right = placeOf(b);
  for (const [i, part] of left.entries()) {
    const order = collator.compare(part, right[i]!);
    if (order !== 0) return order;
  }
  return 0;
}
