import { killText } from './explain/probeKill.ts';
import { isLikelyKiller, riskRemedy } from './explain/probes.ts';
import type { SlotId } from './identity.ts';
import type { LogDraft } from './logRecord.ts';
import type { Container, DebugEvent, PausedRun, Probe, ProbeKill, Session, State } from './model.ts';
import { put, type Reduced, without } from './reduced.ts';

/** SIGKILL and SIGTERM, with which a kubelet ends a container: 128 and the number of the signal. */
const KILLED: readonly number[] = [137, 143];

/** A program is paused, or goes on. One whose debugger is gone is still known as paused. */
export function afterPause(
  state: State,
  { sessionId, paused, isGone = false }: Extract<DebugEvent, { kind: 'paused' }>,
): State {
  const before = state.sessions.get(sessionId);
  if (!before) return state;
  const session = { ...before, paused };
  // What an unsure one says is not of the run that is known: that one may have been killed a moment ago.
  const isOver = !paused && !isGone && !session.isRunUnsure;
  const pausedRuns = isOver ? without(state.pausedRuns, session.slot) : withPaused(state, session);
  const isChanged = before.paused !== paused || pausedRuns !== state.pausedRuns;
  return isChanged ? { ...state, pausedRuns, sessions: put(state.sessions, sessionId, session) } : state;
}

/** After a report of the pods: paused runs that are over are paused no more, and some of them were killed. */
export function afterReport(before: State, now: State): State {
  let { pausedRuns, probeKills } = now;
  for (const [slot, paused] of now.pausedRuns) {
    const was = before.entries.get(slot)?.container;
    const container = now.entries.get(slot)?.container;
    const end = container && endOf(container, paused);
    if (container && !end) continue;
    pausedRuns = without(pausedRuns, slot);
    const probe = was && end && killerOf(was, end);
    if (probe) probeKills = put(keptKills(now), slot, { ...paused, ...since(end), probe, proof: 'asked' });
  }
  // The next run may have been paused before it was known.
  for (const session of now.sessions.values()) pausedRuns = withPaused({ ...now, pausedRuns }, session);
  const isChanged = pausedRuns !== now.pausedRuns || probeKills !== now.probeKills;
  return isChanged ? { ...now, pausedRuns, probeKills } : now;
}

/** Notes the run of a session that is paused, if it is known. */
function withPaused(
  { entries, pausedRuns }: Pick<State, 'entries' | 'pausedRuns'>,
  { slot, instance, name, paused, isRunUnsure }: Session,
): State['pausedRuns'] {
  const container = entries.get(slot)?.container;
  const run = container?.id === instance ? container.containerId : undefined;
  if (!paused || isRunUnsure || run === undefined || pausedRuns.get(slot)?.run === run) return pausedRuns;
  return put(pausedRuns, slot, { run, name });
}

/** What is known of the end of a killed run now, and what the log has to say about it. */
export function afterVerdict(
  state: State,
  { slot, run, verdict }: Extract<DebugEvent, { kind: 'kill-explained' }>,
): Reduced {
  const kill = state.probeKills.get(slot);
  const container = state.entries.get(slot)?.container;
  if (!container || kill?.run !== run) return { state, drafts: [] };
  if (verdict.kind === 'other') return { state: { ...state, probeKills: without(state.probeKills, slot) }, drafts: [] };
  const known =
    verdict.kind === 'said' ? knownKill(kill, container, verdict) : ({ ...kill, proof: 'missing' } as const);
  const draft: LogDraft = {
    kind: 'noticeEvent',
    source: 'pods',
    level: 'warn',
    body: { probe: known.probe, exitOf: run },
    entry: `${kill.name}: ${killText(known)}. ${riskRemedy({ probe: known.probe, effect: 'restart' })}`,
  };
  return { state: { ...state, probeKills: put(state.probeKills, slot, known) }, drafts: [draft] };
}

type Ended = Readonly<{ exitCode: number; reason: string; startedAt?: string }>;

/** How the paused run ended, once it has. */
function endOf({ phase, containerId, startedAt, last }: Container, { run }: PausedRun): Ended | undefined {
  if (last?.containerId === run) return last;
  if (phase.kind !== 'terminated' || containerId !== run) return undefined;
  return { ...phase, ...(startedAt === undefined ? {} : { startedAt }) };
}

/** The probe that can have ended the run. A pod that is deleted is killed as well, and so is one that wants too much memory. */
function killerOf({ phase, probes = [] }: Container, { exitCode, reason }: Ended): Probe | undefined {
  if (!KILLED.includes(exitCode) || reason === 'OOMKilled' || phase.kind === 'terminating') return undefined;
  return probes.find(isLikelyKiller) ?? probes.find(({ kind }) => kind !== 'readiness');
}

const since = ({ startedAt }: Ended) => (startedAt === undefined ? {} : { since: startedAt });

function knownKill(
  kill: ProbeKill,
  { probes = [] }: Container,
  { probe, words }: Readonly<{ probe: Probe['kind']; words: string }>,
): ProbeKill {
  const killer = [kill.probe, ...probes].find(({ kind }) => kind === probe) ?? kill.probe;
  return { ...kill, probe: killer, proof: 'found', words };
}

/** Those of containers that have gone are forgotten with the next one. */
const keptKills = ({ probeKills, entries }: State): ReadonlyMap<SlotId, ProbeKill> =>
  new Map([...probeKills].filter(([slot]) => entries.has(slot)));
