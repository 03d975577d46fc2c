import { failureText } from './errors.ts';
import { probeRisksOf, riskRemedy, riskText } from './explain/probes.ts';
import { unboundDrafts } from './explain/unbound.ts';
import { unfollowedDraft } from './follow/words.ts';
import type { SlotId } from './identity.ts';
import { attachDraft, type LogDraft } from './logRecord.ts';
import type { Attach, Container, DebugEvent, Session, State } from './model.ts';
import { put, quiet, type Reduced, without } from './reduced.ts';

/** The row keeps the failure. */
export function attachFailed(state: State, slot: SlotId, failed: Extract<Attach, { kind: 'failed' }>): Reduced {
  const container = state.entries.get(slot)?.container;
  const next = container ? { ...state, attaches: put<SlotId, Attach>(state.attaches, slot, failed) } : state;
  const place = container ?? { pod: '', container: '', namespace: '' };
  const where = container
    ? `pod/${container.pod}:${container.container} (${container.namespace})`
    : 'a container that is gone';
  const step = failed.failure.step ? ` at step "${failed.failure.step}"` : '';
  const entry = `Attach to ${where} failed${step}: ${failureText(failed.failure)}`;
  return { state: next, drafts: [attachDraft('Failed', place, entry, failed.failure)] };
}

/** A debugger is on a container; in place of a lost one, perhaps. */
export function attached(
  state: State,
  { session, sources, follows }: Extract<DebugEvent, { kind: 'attached' }>,
): Reduced {
  const next = {
    ...state,
    following: follows === undefined ? state.following : without(state.following, follows),
    woken: woken(state, session),
    attaches: without(state.attaches, session.slot),
    sessions: put(state.sessions, session.id, { ...session, sources }),
  };
  const entry = `Debugger attached${follows === undefined ? '' : ' again'}: ${session.name}${podText(session)} at 127.0.0.1:${session.localPort}`;
  const found: LogDraft = {
    kind: 'noticeEvent',
    source: 'attach',
    level: 'info',
    body: { sources },
    entry: `Sources of ${session.name}: ${sources.join(' ')}`,
  };
  const container = state.entries.get(session.slot)?.container;
  const drafts = [
    attachDraft('Attached', session, entry),
    ...(sources.length > 0 ? [found] : []),
    ...(container ? probeDrafts(session, container) : []),
  ];
  return { state: next, drafts };
}

/** Those whose containers have gone are forgotten. */
function woken(state: State, { instance }: Session): State['woken'] {
  const known = new Set([...state.entries.values()].map(({ container }) => container.id));
  return new Set([...[...state.woken].filter(id => known.has(id)), instance]);
}

/** What a pause may cost. */
const probeDrafts = (session: Session, container: Container): readonly LogDraft[] =>
  probeRisksOf(container).map(risk => ({
    kind: 'noticeEvent',
    source: 'attach',
    level: 'warn',
    body: { probe: risk.probe, effect: risk.effect, afterSeconds: risk.afterSeconds },
    entry: `While ${session.name} is paused: ${riskText(risk)}. ${riskRemedy(risk)}`,
  }));

/** The breakpoints of a session have been looked at. */
export function breakpointsLooked(state: State, at: Extract<DebugEvent, { kind: 'breakpoints' }>): Reduced {
  const session = state.sessions.get(at.sessionId);
  if (!session) return quiet(state);
  const { runtime } = state.entries.get(session.slot)?.container.detection ?? {};
  const sessions = put(state.sessions, session.id, { ...session, breakpoints: at.breakpoints });
  return { state: { ...state, sessions }, drafts: unboundDrafts(session, runtime, at.breakpoints) };
}

/** A session is over. */
export function detached(
  state: State,
  { sessionId, isLost = false }: Extract<DebugEvent, { kind: 'detached' }>,
): Reduced {
  const session = state.sessions.get(sessionId);
  if (!session) return quiet(state);
  return {
    state: {
      ...state,
      sessions: without(state.sessions, sessionId),
      pausedRuns: isLost ? state.pausedRuns : without(state.pausedRuns, session.slot),
    },
    drafts: [attachDraft('Detached', session, `Debugger detached: ${session.name}${podText(session)}`)],
  };
}

/** A lost debugger does not come back. */
export function unfollowed(state: State, { id, why }: Extract<DebugEvent, { kind: 'unfollowed' }>): Reduced {
  const following = state.following.get(id);
  if (!following) return quiet(state);
  const next = { ...state, following: without(state.following, id) };
  return { state: next, drafts: [unfollowedDraft(following, why)] };
}

/** The next run of a container whose debugger could have reached it before the watch is the one that the debugger is on. */
export function withSureRun(sessions: State['sessions'], { slot, id }: Container): State['sessions'] {
  for (const session of sessions.values())
    if (session.slot === slot && session.isRunUnsure && session.instance !== id) {
      const { isRunUnsure: _isRunUnsure, ...sure } = session;
      return put(sessions, session.id, { ...sure, instance: id });
    }
  return sessions;
}

/** A session keeps its name from pod to pod; the log says on which it was. In Docker there is none. */
const podText = ({ pod }: Session): string => (pod === '' ? '' : `, pod/${pod}`);
