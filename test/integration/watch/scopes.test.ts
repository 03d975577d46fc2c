import assert from 'node:assert/strict';
import test from 'node:test';
import { detect } from '../../../src/cluster/detect/detect.ts';
import { watchScopes } from '../../../src/cluster/watch/scopes.ts';
import { deleted, page, pod, refuse, sendList, stream } from './frames.ts';
import { Recorder } from './recorder.ts';
import { type Answer, ScriptedServer } from './server.ts';

const limits = { backoff: { firstMs: 10, mostMs: 80 } };

const forbidden = refuse(
  403,
  'pods is forbidden: User "dev" cannot watch resource "pods" in API group "" at the cluster scope',
  {},
  'Forbidden',
);

/** Refuses all paths but those of some namespaces, each of which has one pod. */
const allow =
  (...namespaces: string[]): Answer =>
  (response, request, n) => {
    const namespace = /namespaces\/([^/]+)/.exec(request.url!)?.[1];
    if (!namespace || !namespaces.includes(namespace)) forbidden(response, request, n);
    else sendList(response, 100, pod(`in-${namespace}`, 1, { namespace }));
  };

test('scopes: the whole cluster is one watch where that is allowed', async () => {
  await using server = await ScriptedServer.start([response => sendList(response, 100, pod('a', 1))]);
  await using recorder = new Recorder(watchScopes({ api: server.api, detect, fallback: ['shop'], limits }));
  await recorder.until(() => recorder.states.includes('watching'));
  assert.deepEqual(recorder.containers, ['= a']);
  assert.equal(server.requests.length, 1);
});

test('scopes: H06, refused for the cluster, so the namespaces in use, and the missing right is said once', async () => {
  await using server = await ScriptedServer.start([allow('shop', 'dev')]);
  const source = watchScopes({ api: server.api, detect, fallback: ['shop', 'dev', 'shop'], limits });
  await using recorder = new Recorder(source);
  await recorder.until(() => recorder.states.filter(state => state === 'watching').length === 2);
  assert.deepEqual(recorder.containers.toSorted(), ['= in-dev', '= in-shop']);
  assert.equal(recorder.notices.length, 1);
  assert.match(recorder.notices[0]!, /^No right to watch pods in all namespaces\..*Watching only: shop, dev/);
  assert.ok(recorder.events.some(event => event.kind === 'source-removed' && event.source === 'pods'));
  assert.ok(!recorder.states.includes('stopped'));
  assert.equal(server.requests.length, 3);
});

test('scopes: a namespace that is refused stops alone', async () => {
  await using server = await ScriptedServer.start([allow('shop')]);
  const source = watchScopes({ api: server.api, detect, namespaces: ['shop', 'secret'], fallback: [], limits });
  await using recorder = new Recorder(source);
  await recorder.until(() => recorder.states.includes('stopped') && recorder.states.includes('watching'));
  assert.deepEqual(recorder.containers, ['= in-shop']);
  assert.match(recorder.failures[0]!, /No right to watch pods in namespace secret/);
});

test('scopes: nothing to fall back to is said as it is', async () => {
  await using server = await ScriptedServer.start([forbidden]);
  await using recorder = new Recorder(watchScopes({ api: server.api, detect, fallback: [], limits }));
  await recorder.until(() => server.requests.length > 2);
  assert.deepEqual(recorder.states, ['connecting', 'stopped']);
});

test('scopes: a whole cluster that was watched is not given up for a right that is missing now', async () => {
  const ends: Answer = response => {
    sendList(response, 100, pod('a', 1));
    response.end();
  };
  const refusals = Array.from({ length: 6 }, () => forbidden);
  const again: Answer = response => sendList(response, 200, pod('b', 1));
  await using server = await ScriptedServer.start([ends, ...refusals, again]);
  await using recorder = new Recorder(watchScopes({ api: server.api, detect, fallback: ['shop'], limits }));
  await recorder.until(() => recorder.containers.length >= 3);
  assert.deepEqual(recorder.containers, ['= a', '+b running', '-a']);
  assert.ok(recorder.states.includes('stopped'));
  assert.deepEqual(recorder.notices, []);
});

test('scopes: what one watch learns about streaming lists the others know', async () => {
  await using server = await ScriptedServer.start([
    (response, request, n) => {
      if (request.url!.includes('sendInitialEvents')) refuse(422, 'no')(response, request, n);
      else if (request.url!.includes('watch=')) stream()(response, request, n);
      else page(5, [])(response, request, n);
    },
  ]);
  const memory = { refusesStreaming: false };
  for (const namespaces of [['one'], ['two', 'three']]) {
    await using recorder = new Recorder(
      watchScopes({ api: server.api, detect, namespaces, fallback: [], memory, limits }),
    );
    await recorder.until(() => recorder.states.filter(state => state === 'watching').length === namespaces.length);
  }
  assert.equal(server.requests.filter(path => path.includes('sendInitialEvents')).length, 1);
});

test('scopes: a stop and a consumer that leaves close every watch', async () => {
  await using server = await ScriptedServer.start([allow('shop', 'dev')]);
  const source = watchScopes({ api: server.api, detect, namespaces: ['shop', 'dev'], fallback: [], limits });
  const recorder = new Recorder(source);
  await recorder.until(() => recorder.containers.length === 2);
  await recorder.stop();
  await server.untilIdle();
  for await (const event of source(new AbortController().signal)) if (event.kind === 'snapshot') break;
  await server.untilIdle();
});

test('scopes: two namespaces do not take back each other’s word', async () => {
  await using server = await ScriptedServer.start([
    (response, request) => {
      const namespace = /namespaces\/([^/]+)/.exec(request.url!)![1]!;
      const same = pod('web', 1, { namespace, uid: `uid-${namespace}` });
      sendList(response, 100, same);
      if (namespace === 'dev') response.write(deleted(same));
    },
  ]);
  await using recorder = new Recorder(
    watchScopes({ api: server.api, detect, namespaces: ['shop', 'dev'], fallback: [], limits }),
  );
  await recorder.until(() => recorder.containers.length === 3);
  const gone = recorder.events.find(event => event.kind === 'gone');
  assert.equal(gone?.source, 'pods/dev');
});
