import assert from 'node:assert/strict';
import test from 'node:test';
import type { Forward, Forwards, Recipe } from '../../../src/core/contracts.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Store } from '../../../src/core/store.ts';
import { Reaches } from '../../../src/shell/reaches.ts';
import { container, exited } from '../../support/containers.ts';

const one = container({ containerId: 'run-1' });
const forward = { localPort: 9229, dispose: () => undefined } as unknown as Forward;
const recipe = { ready: async () => ({ target: 'node[1]' }) } as unknown as Recipe;

function reachesOn(open: Forwards['open']) {
  const store = new Store(new EventLog(() => new Date(0)));
  const see = (now: typeof one) => store.apply({ kind: 'seen', source: 'pods', container: now });
  see(one);
  const reaches = new Reaches(store, { forwards: { open }, recipes: { recipeFor: () => recipe } });
  const changed = () => new Promise<void>(resolve => reaches.onDidChange(resolve));
  return { store, see, reaches, changed };
}

test('Reaches: what is found is kept for this run, until a debugger is tried', async () => {
  const { store, see, reaches, changed } = reachesOn(async () => forward);
  assert.deepEqual(reaches.of(one), {});
  const found = changed();
  reaches.look(one);
  await found;
  assert.equal(reaches.of(one).listener?.detail, 'node[1]');
  assert.deepEqual(reaches.of(container({ containerId: 'run-2' })), {}, 'another run');
  store.apply({ kind: 'attaching', slot: one.slot, step: 'debugger' });
  assert.deepEqual(reaches.of(one), {}, 'the attach knows better');
  store.apply({ kind: 'attach-cancelled', slot: one.slot });
  see(container({ containerId: 'run-1', phase: exited(1) }));
  store.apply({ kind: 'gone', source: 'pods', slot: one.slot });
  assert.deepEqual(reaches.of(one), {});
});

test('Reaches: gives way to an attach', async () => {
  const stopped = Promise.withResolvers<void>();
  const { store, reaches } = reachesOn(async (_, signal) => {
    signal.addEventListener('abort', () => stopped.resolve());
    await stopped.promise;
    throw signal.reason as Error;
  });
  reaches.look(one);
  store.apply({ kind: 'attaching', slot: one.slot, step: 'debugger' });
  await stopped.promise;
});

test('Reaches: nothing is opened for a container that cannot be attached to, or has a debugger', () => {
  const { store, see, reaches } = reachesOn(() => assert.fail('it is opened'));
  store.apply({ kind: 'attaching', slot: one.slot, step: 'debugger' });
  reaches.look(one);
  store.apply({ kind: 'attach-cancelled', slot: one.slot });
  see({ ...one, phase: exited(1) });
  reaches.look(one);
});
