// The service as its own project's client of Skaffold reads it, the way a second window does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { rowsOf } from '../../../src/core/selectors.ts';
import { container, exited } from '../../support/containers.ts';
import { recorded } from '../../support/recordings.ts';
import { eventually } from '../demo/support.ts';
import { followPort } from '../skaffold/support.ts';
import { clientAt, entriesOf, numbered, readHttp, readSkaffold, serve, type Served } from './support.ts';

const placeOf = ({ container: c }: ReturnType<typeof rowsOf>[number]) => `${c.namespace}/${c.pod}/${c.container}`;

test('what the pod watch of the first sees are the rows of the second', async t => {
  const { service, store } = await serve(t);
  const web = container({ pod: 'web-1', podUid: 'uid-1', containerId: 'a' });
  const cart = container({ pod: 'cart-1', podUid: 'uid-2', container: 'cart', containerId: 'b' });
  store.apply({ kind: 'snapshot', source: 'pods', containers: [web, cart] });
  const second = followPort(t, service.grpcPort);
  const rows = () => rowsOf(second.store.state).map(placeOf);
  await eventually('both rows', () => rows().length === 2 || undefined);
  assert.deepEqual(rows(), ['shop/cart-1/cart', 'shop/web-1/web']);
  const [row] = rowsOf(second.store.state);
  assert.deepEqual(row?.container.detection.ports, { devtools: 9229 });
  assert.equal(row?.container.detection.runtime, 'nodejs');
  store.apply({ kind: 'seen', source: 'pods', container: { ...cart, phase: exited(0) } });
  await eventually('the end of one', () => rows().length === 1 || undefined);
  store.apply({
    kind: 'forwarded',
    forwarded: { localPort: 41234, remotePort: 9229, namespace: 'shop', pod: 'web-1', container: 'web' },
  });
  await eventually(
    'its forward',
    () => rowsOf(second.store.state)[0]?.announced?.[0]?.localPort === 41234 || undefined,
  );
  await service.close();
  await second.feed.done;
  const drain = second.log.records.find(({ kind }) => kind === 'drainEvent');
  assert.match(drain!.entry, /complete$/);
});

for (const name of ['real-node-three-runtimes', 'restarts-and-redeploys', 'same-name-pod'])
  test(`a recorded session is the same at second hand: ${name}`, async t => {
    const { service, store, log } = await serve(t);
    const events = recorded(name);
    const half = events.length >> 1;
    for (const event of events.slice(0, half)) store.apply(event);
    const second = followPort(t, service.grpcPort);
    await eventually('the replay', () => second.log.records.length > 1 || undefined);
    for (const event of events.slice(half)) store.apply(event);
    await service.close();
    await second.feed.done;
    const debugging = ({ records }: typeof log) =>
      records.filter(({ kind }) => kind === 'debuggingContainerEvent').map(({ entry, body }) => ({ entry, body }));
    assert.ok(debugging(log).length > 0);
    assert.deepEqual(debugging(second.log), debugging(log));
  });

test('two windows that read each other, and themselves, say each thing once', async t => {
  const [first, second] = [await serve(t), await serve(t)];
  readSkaffold(t, first.store, second.service.grpcPort);
  readSkaffold(t, second.store, first.service.grpcPort);
  readSkaffold(t, first.store, first.service.grpcPort);
  first.notices(1, 3, 'of the first');
  second.notices(1, 3, 'of the second');
  const has = ({ log }: Served, entry: string) => log.records.some(record => record.entry === entry) || undefined;
  await eventually('the last of the second', () => has(first, 'of the second 3'));
  await eventually('the last of the first', () => has(second, 'of the first 3'));
  await delay(300); // an echo would come again and again
  for (const one of [first, second]) {
    const reader = await readHttp(one.service.httpPort);
    const own = one === first ? 'first' : 'second';
    await eventually('the replay', () => entriesOf(reader).includes(`of the ${own} 3`) || undefined);
    const notices = entriesOf(reader).filter(entry => entry.startsWith('of the'));
    assert.deepEqual(notices, numbered(1, 3, `of the ${own}`));
  }
  const client = clientAt(first.service.grpcPort);
  const code = await new Promise(resolve =>
    client.autoBuild({ state: { enabled: true } }, error => resolve(error?.code)),
  );
  client.close();
  assert.equal(code, 9, 'a service is no Skaffold that commands are passed to');
});
