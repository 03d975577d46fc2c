import assert from 'node:assert/strict';
import test from 'node:test';
import { explain } from '../../../src/core/explain/explain.ts';
import type { DebugEvent, State } from '../../../src/core/model.ts';
import { empty, reduce } from '../../../src/core/reducer.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { rowText } from '../../../src/shell/words.ts';
import { container } from '../../support/containers.ts';

const one = container({ containerId: 'run-1' });
const leases: DebugEvent = {
  ...{ kind: 'leases', slot: one.slot, instance: one.id },
  leases: [{ name: 'leader', seconds: 15 }],
};
const seen = (now: typeof one): DebugEvent => ({ kind: 'seen', source: 'pods', container: now });

function after(...events: readonly DebugEvent[]) {
  let state: State = empty;
  const entries: string[] = [];
  for (const event of events) {
    const step = reduce(state, event);
    state = step.state;
    entries.push(...step.drafts.map(({ entry }) => entry).filter(entry => entry.includes('lease')));
  }
  const row = rowsOf(state)[0]!;
  return { state, entries, row, probes: explain(state, row).find(({ name }) => name === 'probes')! };
}

test('a lease that a pause loses is in the log once, on the row and in Explain', () => {
  const { entries, row, probes } = after(seen(one), leases, leases);
  assert.equal(entries.length, 1);
  assert.match(entries[0]!, /^While pod\/web-7d9c-x1:web \(shop\) is paused: the lease "leader" .* 15 seconds/);
  assert.match(rowText(row, 'web', undefined, text => text).tooltip, /While it is paused/);
  assert.deepEqual([probes.ok, probes.fix?.includes('leader-elect=false')], [false, true]);
  assert.match(probes.detail, /the lease "leader"/);
});

test('a lease of a run that is over is not the next run’s', () => {
  const { row, probes } = after(seen(one), leases, seen(container({ containerId: 'run-2' })));
  assert.deepEqual([row.leases, probes.ok], [undefined, true]);
  assert.deepEqual(after(seen(container({ containerId: 'run-2' })), leases).entries, []);
});

test('a lease that it has no more is forgotten without a word', () => {
  const { entries, row } = after(seen(one), leases, { ...leases, leases: [] });
  assert.deepEqual([entries.length, row.leases], [1, undefined]);
});
