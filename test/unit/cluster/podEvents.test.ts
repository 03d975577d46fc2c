import assert from 'node:assert/strict';
import test from 'node:test';
import { verdictOf } from '../../../src/cluster/pods/podEvents.ts';
import type { KillVerdict } from '../../../src/core/model.ts';

const event = (reason: string, message: string, more: object = {}) => ({
  ...{ reason, message, lastTimestamp: '2026-01-01T00:05:00Z' },
  involvedObject: { fieldPath: 'spec.containers{web}' },
  ...more,
});
const unhealthy = event('Unhealthy', 'Liveness probe failed: command "sh" timed out');
const killing = event('Killing', 'Container web failed liveness probe, will be restarted');
const other = { kind: 'other' } as const;
const said = (probe: 'liveness' | 'startup', words: string): KillVerdict => ({ kind: 'said', probe, words });

const cases: readonly { name: string; events: readonly object[]; want: KillVerdict }[] = [
  { name: 'none', events: [], want: other },
  { name: 'the kill goes before the failures', events: [unhealthy, killing], want: said('liveness', killing.message) },
  { name: 'failures only', events: [unhealthy], want: said('liveness', unhealthy.message) },
  {
    name: 'a startup probe',
    events: [event('Killing', 'Container web failed startup probe, will be restarted')],
    want: said('startup', 'Container web failed startup probe, will be restarted'),
  },
  { name: 'readiness kills nobody', events: [event('Unhealthy', 'Readiness probe failed: 503')], want: other },
  { name: 'a deletion', events: [event('Killing', 'Stopping container web')], want: other },
  {
    name: 'another container',
    events: [{ ...killing, involvedObject: { fieldPath: 'spec.containers{proxy}' } }],
    want: other,
  },
  { name: 'before this run', events: [{ ...killing, lastTimestamp: '2025-12-31T23:00:00Z' }], want: other },
  {
    name: 'a series',
    events: [{ ...killing, lastTimestamp: null, series: { lastObservedTime: '2026-01-01T00:01:00.000001Z' } }],
    want: said('liveness', killing.message),
  },
  { name: 'nonsense', events: [{}, { reason: 1, message: null, involvedObject: 'x' }], want: other },
  {
    name: 'control characters',
    events: [event('Unhealthy', 'Liveness probe failed: \u001b[31mno\nway')],
    want: said('liveness', 'Liveness probe failed: no ⏎ way'),
  },
];
for (const { name, events, want } of cases)
  test(`events about a kill: ${name}`, () => {
    const verdict = verdictOf(events as never, 'web', '2026-01-01T00:00:00Z');
    assert.deepEqual(verdict, want);
  });
