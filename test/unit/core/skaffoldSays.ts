import { EventLog } from '../../../src/core/eventLog.ts';
import type { DebugEvent, State } from '../../../src/core/model.ts';
import { runRowsOf } from '../../../src/core/runRows.ts';
import type { RunState } from '../../../src/core/runState.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import type { AnnouncedPort, Progress, Reported, SkaffoldFact } from '../../../src/core/skaffold.ts';
import { Store } from '../../../src/core/store.ts';
import { container } from '../../support/containers.ts';
import { recordedSource as source } from '../../support/recordings.ts';

export const stateAfter = (events: readonly DebugEvent[]): State => {
  const store = new Store(new EventLog(() => new Date(0)));
  for (const event of events) store.apply(event);
  return store.state;
};
export const says = (...facts: SkaffoldFact[]): DebugEvent => ({ kind: 'skaffold', source, facts });
export const seen = (...parts: Parameters<typeof container>): DebugEvent => ({
  kind: 'seen',
  source: 'pods',
  container: container(...parts),
});
export const watching: DebugEvent = { kind: 'source', source: 'pods', state: { kind: 'watching' } };
export const reading: DebugEvent = { kind: 'source', source, state: { kind: 'watching' } };
export const drained: DebugEvent = { kind: 'drained', source, drain: { events: 0, ms: 0, outcome: 'complete' } };
export const about: SkaffoldFact = { kind: 'about', about: { port: 50_051, origin: 'launched', name: 'shop' } };
export const failure = { code: 'x', message: 'It broke.', actions: [] };
export const runId = (id: string): SkaffoldFact => ({ kind: 'run', id });
export const newRun: SkaffoldFact = { kind: 'run', isNew: true };
export const reported: Reported = {
  ...{ namespace: 'shop', pod: 'web-7d9c-x1', container: 'web', artifact: 'shop-web' },
  ...{ runtime: 'nodejs', workingDir: '/app', ports: { devtools: 9229 } },
};
export const started = (parts: Partial<Reported> = {}): SkaffoldFact => ({
  kind: 'debugging',
  status: 'Started',
  reported: { ...reported, ...parts },
});
export const at = (task: string, status: Progress['status'], subject = '', message?: string): SkaffoldFact => ({
  kind: 'progress',
  progress: {
    ...{ task, subject, status },
    ...(message ? { problem: { code: 'C', message, suggestions: ['Try this.', 'Or that.'] } } : {}),
  },
});

export const runsAfter = (events: readonly DebugEvent[]) => {
  const state = stateAfter(events);
  return runRowsOf(state, rowsOf(state));
};
export const wordOf = (state: RunState): string =>
  'step' in state
    ? `${state.kind} ${[state.step.task, state.step.subject].filter(Boolean).join(' ')}`.trim()
    : state.kind;

/** A port that Skaffold announces; without more, one that it publishes in Docker. */
export function port(parts: Partial<AnnouncedPort>): SkaffoldFact {
  const base = {
    localPort: 9300,
    remotePort: 9229,
    namespace: '',
    pod: '',
    container: 'shop-web',
    resource: 'container',
  };
  return { kind: 'port', port: { ...base, ...parts } };
}
