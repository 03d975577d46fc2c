import assert from 'node:assert/strict';
import test from 'node:test';
import type { Forward, Forwards, PodRef } from '../../../src/core/contracts.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { clusterId, followId } from '../../../src/core/identity.ts';
import { reportForwards } from '../../../src/core/reportForwards.ts';
import { Store } from '../../../src/core/store.ts';

const cluster = clusterId('https://127.0.0.1:6443', 'dev');
const pod = (name: string): PodRef => ({ cluster, namespace: 'shop', pod: name, podUid: `uid-${name}` });
const target = {
  pod: pod('web-1'),
  port: 9229,
  follow: followId({ cluster, namespace: 'shop', container: 'web' }, 'Deployment/web'),
};

/** Stands for forwards over an API server, since this is about what the store learns of them. */
const fake: Forwards = {
  open: async () =>
    ({ localPort: 41234, retarget() {}, dispose() {}, onProblem: () => ({ dispose() {} }) }) as unknown as Forward,
};

async function opened() {
  const log = new EventLog(() => new Date('2026-12-01T09:00:00Z'));
  const store = new Store(log);
  const forward = await reportForwards(fake, () => store).open(target, new AbortController().signal);
  return { log, store, forward };
}

test('a forward is in the store while it is open, and in the log as a port event of Skaffold', async () => {
  const { log, store, forward } = await opened();
  const forwarded = { localPort: 41234, remotePort: 9229, namespace: 'shop', pod: 'web-1', container: 'web' };
  assert.deepEqual([...store.state.forwards.values()], [forwarded]);
  const [record] = log.records;
  assert.equal(record?.kind, 'portEvent');
  assert.equal(record?.entry, 'Forwarding container web to local port 41234');
  assert.deepEqual(record?.body, {
    ...{ localPort: 41234, remotePort: 9229, podName: 'web-1', containerName: 'web', namespace: 'shop', portName: '' },
    ...{ resourceType: 'pod', resourceName: 'web-1', address: '127.0.0.1' },
    targetPort: { type: 0, intVal: 9229, strVal: '' },
  });
  forward.dispose();
  assert.equal(store.state.forwards.size, 0);
  assert.equal(log.records.length, 1);
});

test('a forward that leads to a successor is told again; one that leads nowhere is none', async () => {
  const { log, store, forward } = await opened();
  forward.retarget(pod('web-2'));
  assert.equal(store.state.forwards.get(41234)?.pod, 'web-2');
  assert.equal(log.records.length, 2);
  forward.retarget(undefined);
  assert.equal(store.state.forwards.size, 0);
});

test('a forward that is closed twice does not take away the next one at its port', async () => {
  const { store, forward } = await opened();
  forward.dispose();
  await reportForwards(fake, () => store).open(target, new AbortController().signal);
  forward.dispose();
  assert.equal(store.state.forwards.size, 1);
});
