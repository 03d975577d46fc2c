import assert from 'node:assert/strict';
import test from 'node:test';
import { killFailure, probeKillOf } from '../../../src/core/explain/probeKill.ts';
import { explain } from '../../../src/core/explain/explain.ts';
import type { Container, DebugEvent, Phase, Probe, State } from '../../../src/core/model.ts';
import { empty, reduce } from '../../../src/core/reducer.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { container, exited, waiting } from '../../support/containers.ts';

const probe = (kind: Probe['kind'], handler: Probe['handler']): Probe => ({
  ...{ kind, handler, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 },
});
const probes = [probe('readiness', 'http'), probe('liveness', 'exec')];
const first = container({ containerId: 'run-1', startedAt: '2026-01-01T00:00:00Z', probes });
const ended = { containerId: 'run-1', exitCode: 137, reason: 'Error', startedAt: '2026-01-01T00:00:00Z' };

const seen = (one: Container): DebugEvent => ({ kind: 'seen', source: 'pods', container: one });
const session = {
  ...{ id: 's1', slot: first.slot, instance: first.id, follow: first.follow, namespace: 'shop' },
  ...{ pod: first.pod, container: 'web', name: 'web · shop', localPort: 9229, paused: false },
};
const attached: DebugEvent = { kind: 'attached', session, sources: [] };
const paused: DebugEvent = { kind: 'paused', sessionId: 's1', paused: true };
const goesOn: DebugEvent = { kind: 'paused', sessionId: 's1', paused: false };
const lost: readonly DebugEvent[] = [
  { ...goesOn, isGone: true },
  { kind: 'detached', sessionId: 's1', isLost: true },
];
const next = (parts: Partial<Container> = {}): DebugEvent =>
  seen(container({ containerId: 'run-2', restarts: 1, probes, last: ended, ...parts }));
const said: DebugEvent = {
  ...{ kind: 'kill-explained', slot: first.slot, run: 'run-1' },
  verdict: { kind: 'said', probe: 'liveness', words: 'Container web failed liveness probe, will be restarted' },
};
const verdict = (kind: 'unread' | 'other'): DebugEvent => ({ ...said, verdict: { kind } });

function after(...events: readonly DebugEvent[]) {
  let state: State = empty;
  const entries: string[] = [];
  for (const event of [seen(first), attached, ...events]) {
    const step = reduce(state, event);
    state = step.state;
    entries.push(...step.drafts.map(({ entry }) => entry));
  }
  return { state, entries, row: rowsOf(state)[0], kill: state.probeKills.get(first.slot) };
}

const killed: readonly { name: string; events: readonly DebugEvent[] }[] = [
  { name: 'the debugger is lost first', events: [paused, ...lost, next()] },
  { name: 'the report comes first', events: [paused, next(), ...lost] },
  {
    name: 'between two runs',
    events: [paused, ...lost, next({ containerId: 'run-1', phase: waiting('CrashLoopBackOff') })],
  },
  { name: 'it is shown as terminated', events: [paused, ...lost, seen({ ...first, phase: exited(143) })] },
  {
    name: 'in a list after the connection was lost',
    events: [paused, ...lost, { kind: 'snapshot', source: 'pods', containers: [{ ...first, ...lastRun() }] }],
  },
];
function lastRun() {
  return { id: container({ containerId: 'run-2' }).id, containerId: 'run-2', last: ended };
}
for (const { name, events } of killed)
  test(`killed while paused: ${name}`, () => {
    const { kill, state } = after(...events);
    assert.deepEqual(
      [kill?.run, kill?.name, kill?.probe.kind, kill?.proof, kill?.since],
      ['run-1', 'web · shop', 'liveness', 'asked', '2026-01-01T00:00:00Z'],
    );
    assert.equal(state.pausedRuns.size, 0);
  });

const oom = { ...ended, reason: 'OOMKilled' };
const terminating: Phase = { kind: 'terminating' };
const unkilled: readonly { name: string; events: readonly DebugEvent[] }[] = [
  { name: 'it had gone on', events: [paused, goesOn, ...lost, next()] },
  { name: 'it was never paused', events: [...lost, next()] },
  { name: 'the user detached', events: [paused, { kind: 'detached', sessionId: 's1' }, next()] },
  { name: 'it ended by itself', events: [paused, ...lost, next({ last: { ...ended, exitCode: 1 } })] },
  { name: 'it wanted too much memory', events: [paused, ...lost, next({ last: oom })] },
  {
    name: 'its pod was deleted',
    events: [paused, seen({ ...first, phase: terminating }), seen({ ...first, phase: exited(137) })],
  },
  { name: 'its pod is gone', events: [paused, ...lost, { kind: 'gone', source: 'pods', slot: first.slot }] },
  {
    name: 'another run was killed',
    events: [paused, next({ containerId: 'run-3', last: { ...ended, containerId: 'run-2' } })],
  },
];
for (const { name, events } of unkilled)
  test(`not killed while paused: ${name}`, () => assert.equal(after(...events).kill, undefined));

test('not killed while paused: it has no probe that restarts it', () => {
  const only = [probe('readiness', 'http')];
  const one = { ...first, probes: only };
  assert.equal(after(seen(one), paused, ...lost, next({ probes: only })).kill, undefined);
});

test('killed while paused: nothing is said before the events of the pod are read', () => {
  const { row, state, entries } = after(paused, ...lost, next());
  assert.equal(row?.reason, undefined);
  assert.equal(probeKillOf(state, row!.container), undefined);
  assert.equal(entries.filter(entry => entry.includes('killed')).length, 0);
});

test('killed while paused: the kubelet’s words are on the row, in the log and in Explain', () => {
  const { row, state, entries, kill } = after(paused, ...lost, next(), said);
  assert.match(
    row!.reason!,
    /killed while it was paused .* by its liveness probe \(exec\); the kubelet says: Container web/,
  );
  assert.match(
    entries.at(-1)!,
    /^web · shop: its last run was killed .* Raise timeoutSeconds and failureThreshold of livenessProbe/,
  );
  const link = explain(state, row!).find(({ name }) => name === 'probes');
  assert.deepEqual([link?.ok, link?.fix?.includes('livenessProbe')], [false, true]);
  const { message, cause } = killFailure(kill!);
  assert.match(message, /because its liveness probe \(exec\) failed/);
  assert.match(cause!, /will be restarted/);
});

test('killed while paused: without the right to read events it is what is most likely', () => {
  const { row, entries } = after(paused, ...lost, next(), verdict('unread'));
  assert.match(row!.reason!, /most likely by its liveness probe \(exec\)$/);
  assert.match(entries.at(-1)!, /most likely/);
});

test('killed while paused: events that know of no probe take the suspicion away, and it does not outlive the next run', () => {
  const { row, kill } = after(paused, ...lost, next(), verdict('other'));
  assert.deepEqual([row?.reason, kill], [undefined, undefined]);
  const later = after(
    paused,
    ...lost,
    next(),
    said,
    next({ containerId: 'run-3', last: { ...ended, containerId: 'run-2' } }),
  );
  assert.equal(later.row?.reason, undefined);
});

test('killed while paused: again, by a run that was paused before the watch had told of it', () => {
  const again: DebugEvent = {
    ...{ kind: 'attached', sources: [] },
    session: { ...session, id: 's2', isRunUnsure: true },
  };
  const pausedAgain: DebugEvent = { kind: 'paused', sessionId: 's2', paused: true };
  const back = [paused, ...lost, again, pausedAgain, next()] as const;
  assert.equal(after(...back).kill?.run, 'run-1');
  assert.equal(after(...back).state.pausedRuns.get(first.slot)?.run, 'run-2');
  const twice = after(...back, said, next({ containerId: 'run-3', last: { ...ended, containerId: 'run-2' } }));
  assert.equal(twice.kill?.run, 'run-2');
});

test('not killed while paused: the run before was over when the next one was paused', () => {
  const again: DebugEvent = {
    ...{ kind: 'attached', sources: [] },
    session: { ...session, id: 's2', isRunUnsure: true },
  };
  const events = [...lost, again, { kind: 'paused', sessionId: 's2', paused: true }, next()] as const;
  assert.equal(after(...events).kill, undefined);
});
