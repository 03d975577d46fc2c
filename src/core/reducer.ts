import { concernsDirect, withDirect } from './direct.ts';
import { failureText } from './errors.ts';
import { followingDraft } from './follow/words.ts';
import { forwardedDraft } from './forwarded.ts';
import type { SlotId } from './identity.ts';
import { afterLeases } from './leases.ts';
import { lifeAfter, lifeEnded, unlisted } from './lives.ts';
import { drainDraft, type LogDraft } from './logRecord.ts';
import type { Attach, Container, DebugEvent, Entry, LastWords, SourceName, SourceState, State } from './model.ts';
import { afterPause, afterReport, afterVerdict } from './pausedRuns.ts';
import { put, quiet, type Reduced, without } from './reduced.ts';
import { runAfter, runEnded } from './runAfter.ts';
import { hasFailed, problemTextsOf } from './runState.ts';
import { attached, attachFailed, breakpointsLooked, detached, unfollowed, withSureRun } from './sessionEvents.ts';
import type { Drain, SkaffoldRun } from './skaffold.ts';

export const empty: State = {
  entries: new Map(),
  lives: new Map(),
  sources: new Map(),
  lastWords: new Map(),
  pausedRuns: new Map(),
  probeKills: new Map(),
  leases: new Map(),
  attaches: new Map(),
  sessions: new Map(),
  following: new Map(),
  woken: new Set(),
  forwards: new Map(),
  skaffold: new Map(),
};

/** Pure: the only place where one state becomes the next. */
export function reduce(state: State, event: DebugEvent): Reduced {
  switch (event.kind) {
    case 'snapshot':
      return snapshot(state, event.source, event.containers);
    case 'seen':
      return seen(state, event.source, event.container);
    case 'gone':
      return gone(state, event.source, event.slot);
    case 'source':
      return sourceChanged(state, event.source, event.state);
    case 'source-removed':
      return quiet(withoutSource(state, event.source));
    case 'skaffold':
      return skaffoldSaid(state, event);
    case 'drained':
      return drained(state, event.source, event.drain);
    case 'dismissed':
      return quiet(withRun(state, event.source, undefined));
    case 'notice':
      return {
        state,
        drafts: [{ kind: 'noticeEvent', source: event.source, level: event.level, body: {}, entry: event.text }],
      };
    case 'forwarded': {
      const { forwarded } = event;
      const forwards = put(state.forwards, forwarded.localPort, forwarded);
      return { state: { ...state, forwards }, drafts: [forwardedDraft(forwarded)] };
    }
    case 'unforwarded':
      return quiet(withoutForward(state, event.localPort));
    case 'last-words':
      return quiet(withLastWords(state, event.slot, event.words));
    case 'attaching':
      return quiet({ ...state, attaches: put(state.attaches, event.slot, runningOf(event)) });
    case 'attach-failed':
      return attachFailed(state, event.slot, { kind: 'failed', failure: event.failure });
    case 'attach-cancelled':
      return quiet({ ...state, attaches: without(state.attaches, event.slot) });
    case 'attached':
      return attached(state, event);
    case 'paused':
      return quiet(afterPause(state, event));
    case 'breakpoints':
      return breakpointsLooked(state, event);
    case 'detached':
      return detached(state, event);
    case 'leases':
      return afterLeases(state, event);
    case 'kill-explained':
      return afterVerdict(state, event);
    case 'following':
      return {
        state: { ...state, following: put(state.following, event.following.id, event.following) },
        drafts: [followingDraft(event.following)],
      };
    case 'unfollowed':
      return unfollowed(state, event);
    default:
      return event satisfies never;
  }
}

/** A list replaces what its source had said before: what it no longer has, has ended. */
function snapshot(state: State, source: SourceName, containers: readonly Container[]): Reduced {
  const entries = new Map(state.entries);
  const lives = new Map(state.lives);
  const drafts: LogDraft[] = [];
  const listed = new Set(containers.map(c => c.slot));
  for (const [slot, entry] of state.entries) if (entry.source === source && !listed.has(slot)) entries.delete(slot);
  for (const slot of unlisted(state.lives, source, listed)) {
    drafts.push(...lifeEnded(lives.get(slot), source));
    lives.delete(slot);
  }
  for (const container of containers) {
    const step = lifeAfter(lives.get(container.slot), container, source, { inSnapshot: true });
    drafts.push(...step.drafts);
    lives.set(container.slot, step.life);
    entries.set(container.slot, { container, source });
  }
  return { state: afterReport(state, forgetAttaches({ ...state, entries, lives })), drafts };
}

function seen(state: State, source: SourceName, container: Container): Reduced {
  const { life, drafts } = lifeAfter(state.lives.get(container.slot), container, source, { inSnapshot: false });
  const next = {
    ...state,
    sessions: withSureRun(state.sessions, container),
    lives: put(state.lives, container.slot, life),
    entries: put<SlotId, Entry>(state.entries, container.slot, { container, source }),
  };
  const now = forgetFailureOfOldRun(next, state.entries.get(container.slot)?.container, container);
  return { state: afterReport(state, now), drafts };
}

function gone(state: State, source: SourceName, slot: SlotId): Reduced {
  const life = state.lives.get(slot);
  const entry = state.entries.get(slot);
  if (entry ? entry.source !== source : life?.source !== source) return quiet(state);
  const next = {
    ...state,
    entries: without(state.entries, slot),
    lives: without(state.lives, slot),
    attaches: without(state.attaches, slot),
  };
  return { state: afterReport(state, next), drafts: lifeEnded(life, source) };
}

function sourceChanged(state: State, source: SourceName, now: SourceState): Reduced {
  const before = state.sources.get(source);
  const isAnother = now.kind === 'connecting' && state.skaffold.get(source)?.ended; // at the port of one that has ended
  const next = isAnother ? withRun(state, source, undefined) : state;
  return { state: { ...next, sources: put(state.sources, source, now) }, drafts: sourceDrafts(source, before, now) };
}

/** A try that fails like the one before it is no news. */
function sourceDrafts(source: SourceName, before: SourceState | undefined, now: SourceState): readonly LogDraft[] {
  const draft = (level: LogDraft['level'], entry: string): readonly LogDraft[] => [
    { kind: 'sourceEvent', source, level, body: { state: now }, entry },
  ];
  switch (now.kind) {
    case 'connecting':
      return [];
    case 'watching':
      return before?.kind === 'watching' ? [] : draft('info', `Watching ${source}`);
    case 'retrying':
      return before?.kind === 'retrying' && before.failure.cause === now.failure.cause
        ? []
        : draft('warn', `Lost ${source}, trying again: ${failureText(now.failure)}`);
    case 'stopped':
      return draft('error', `Stopped watching ${source}: ${failureText(now.failure)}`);
    default:
      return now satisfies never;
  }
}

function skaffoldSaid(state: State, { source, said, facts }: Extract<DebugEvent, { kind: 'skaffold' }>): Reduced {
  const before = state.skaffold.get(source);
  let run = before;
  for (const fact of facts) run = runAfter(run, fact);
  const isRepeated = run === before && facts.some(({ kind }) => kind === 'port');
  const drafts = [
    ...(said && !isRepeated ? [{ ...said, source }] : []),
    ...newProblems(source, before, run, said?.time),
  ];
  if (run === undefined || run === before) return { state, drafts };
  if (!facts.some(concernsDirect)) return { state: { ...state, skaffold: put(state.skaffold, source, run) }, drafts };
  const isStart = facts.some(fact => fact.kind === 'about' && fact.about.origin !== 'found');
  return { state: withRun(isStart ? withoutEnded(state, source) : state, source, run), drafts };
}

/** A run as it is now, with what it has of containers that no cluster has. */
function withRun(state: State, source: SourceName, run: SkaffoldRun | undefined): State {
  const skaffold = run ? put(state.skaffold, source, run) : without(state.skaffold, source);
  return skaffold === state.skaffold ? state : withDirect({ ...state, skaffold }, source, state.skaffold.get(source));
}

/** Another run starts: nobody needs to know any more how those before have ended. */
const withoutEnded = (state: State, except: SourceName): State => ({
  ...state,
  skaffold: new Map([...state.skaffold].filter(([source, { ended }]) => !ended || source === except)),
});

/** The log ends with how the reading ended; before that it has once more what kept Skaffold from going on. */
function drained(state: State, source: SourceName, drain: Drain): Reduced {
  const before = state.skaffold.get(source);
  const drafts = [...newProblems(source, undefined, before), drainDraft(source, drain)];
  return { state: before ? withRun(state, source, runEnded(before, drain)) : state, drafts };
}

/** What has failed since. */
function newProblems(
  source: SourceName,
  before: SkaffoldRun | undefined,
  now: SkaffoldRun | undefined,
  time?: string,
): readonly LogDraft[] {
  if (!now || now === before) return [];
  const known = before ? problemTextsOf(before) : [];
  const common = {
    kind: 'noticeEvent',
    source,
    level: 'error',
    body: {},
    ...(time === undefined ? {} : { time }),
  } as const;
  return problemTextsOf(now).flatMap(entry => (known.includes(entry) ? [] : [{ ...common, entry }]));
}

/** Nobody looks any more: its rows go, the lives stay for the next look. How a run has failed stays to be seen. */
function withoutSource(state: State, source: SourceName): State {
  const run = state.skaffold.get(source);
  const next = run?.ended && hasFailed(run) ? state : withRun(state, source, undefined);
  const entries = new Map([...next.entries].filter(([, entry]) => entry.source !== source));
  return forgetAttaches({ ...next, entries, sources: without(state.sources, source) });
}

/** A failure belongs to the run that it happened on. */
function forgetFailureOfOldRun(state: State, before: Container | undefined, now: Container): State {
  const isOld = before && before.id !== now.id && state.attaches.get(now.slot)?.kind === 'failed';
  return isOld ? { ...state, attaches: without(state.attaches, now.slot) } : state;
}

function forgetAttaches(state: State): State {
  const attaches = new Map([...state.attaches].filter(([slot]) => state.entries.has(slot)));
  return attaches.size === state.attaches.size ? state : { ...state, attaches };
}

/** Those of containers that have gone are forgotten with the next ones. */
function withLastWords(state: State, slot: SlotId, words: LastWords): State {
  if (!state.entries.has(slot)) return state;
  const kept = [...state.lastWords].filter(([other]) => state.entries.has(other));
  return { ...state, lastWords: new Map(kept).set(slot, words) };
}

function withoutForward(state: State, localPort: number): State {
  const forwards = without(state.forwards, localPort);
  return forwards === state.forwards ? state : { ...state, forwards };
}

const runningOf = ({ step, waitsFor }: Extract<DebugEvent, { kind: 'attaching' }>): Attach => ({
  kind: 'running',
  step,
  ...(waitsFor === undefined ? {} : { waitsFor }),
});
