import assert from 'node:assert/strict';
import test, { suite, type TestContext } from 'node:test';
import { Metadata, type ServiceError } from '@grpc/grpc-js';
import type { SkaffoldServiceClient, State } from '../../../src/proto/gen/v1.ts';
import { skaffolds } from '../../../src/skaffold/control.ts';
import { eventually } from '../demo/support.ts';
import { launched, withoutScript } from '../skaffold/launched.ts';
import { clientAt, readSkaffold, serve } from './support.ts';

/** A service over the events of so many scripted Skaffolds. */
async function serveSkaffolds(t: TestContext, count: number) {
  const { service, store } = await serve(t, { skaffolds });
  const all = [];
  for (let i = 0; i < count; i++) {
    const { skaffold, script } = await launched(t, { artifacts: [{ name: `shop-${i}`, context: '.' }] });
    const { port } = skaffold;
    const name = readSkaffold(t, store, port);
    await eventually('it is read', () => store.state.skaffold.get(name)?.hasDeployed || undefined);
    all.push({ port, script });
  }
  const client = clientAt(service.grpcPort);
  t.after(() => client.close());
  return { service, client, skaffolds: all };
}

type Call = (client: SkaffoldServiceClient, metadata: Metadata, done: (error: ServiceError | null) => void) => void;

const answerOf = (
  client: SkaffoldServiceClient,
  call: Call,
  port?: number | string,
): Promise<{ code: number; details: string }> =>
  new Promise(resolve => {
    const metadata = new Metadata();
    if (port !== undefined) metadata.set('breakpod-skaffold', String(port));
    call(client, metadata, error =>
      resolve(error ? { code: error.code, details: error.details } : { code: 0, details: '' }),
    );
  });

const devloop: Call = (client, metadata, done) =>
  void client.execute({ intent: { build: false, sync: false, deploy: false, devloop: true } }, metadata, done);
const autoSync =
  (enabled?: boolean): Call =>
  (client, metadata, done) =>
    void client.autoSync({ state: enabled === undefined ? undefined : { enabled } }, metadata, done);

async function http(port: number, method: string, path: string, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('without a Skaffold a command is refused with the reason', async t => {
  const { service } = await serve(t);
  const client = clientAt(service.grpcPort);
  const { code, details } = await answerOf(client, devloop);
  client.close();
  assert.equal(code, 9);
  assert.match(details, /no Skaffold session/);
  const { status, body } = await http(service.httpPort, 'PUT', '/v1/build/auto_execute', '{"enabled":true}');
  assert.deepEqual({ status, body }, { status: 400, body: { code: 9, message: details, details: [] } });
});

suite('commands to Skaffold', { skip: withoutScript }, () => {
  test('are passed on to the only one, with its own answer', async t => {
    const { service, client, skaffolds } = await serveSkaffolds(t, 1);
    const { script } = skaffolds[0]!;
    assert.equal((await answerOf(client, devloop)).code, 0);
    assert.equal((await answerOf(client, autoSync(true))).code, 0);
    assert.deepEqual(await answerOf(client, autoSync(true)), { code: 6, details: 'auto sync is already set to true' });
    assert.deepEqual(await http(service.httpPort, 'POST', '/v1/execute', '{"build":true}'), { status: 200, body: {} });
    assert.deepEqual(await http(service.httpPort, 'PUT', '/v1/sync/auto_execute', '{"enabled":true}'), {
      status: 409,
      body: { code: 6, message: 'auto sync is already set to true', details: [] },
    });
    assert.deepEqual(await http(service.httpPort, 'PUT', '/v1/deploy/auto_execute', '{"enabled":true}'), {
      status: 200,
      body: {},
    });
    const none = { build: false, sync: false, deploy: false, devloop: false };
    assert.deepEqual(
      script
        .happenings('call')
        .filter(({ name }) => name !== 'state')
        .map(({ name, request }) => ({ name, request })),
      [
        { name: 'execute', request: { ...none, devloop: true } },
        { name: 'auto sync', request: true },
        { name: 'auto sync', request: true },
        { name: 'execute', request: { ...none, build: true } },
        { name: 'auto sync', request: true },
        { name: 'auto deploy', request: true },
      ],
    );
  });

  test('reach the one that is named, and none when several are there and none is named', async t => {
    const { service, client, skaffolds } = await serveSkaffolds(t, 2);
    const [first, second] = skaffolds as [(typeof skaffolds)[0], (typeof skaffolds)[0]];
    const { code, details } = await answerOf(client, devloop);
    assert.equal(code, 9);
    assert.match(details, new RegExp(`several Skaffold sessions.*breakpod-skaffold.*${first.port}, ${second.port}`));
    assert.equal((await answerOf(client, autoSync(true), second.port)).code, 0);
    const named = { 'Breakpod-Skaffold': String(second.port) };
    assert.equal(
      (await http(service.httpPort, 'PUT', '/v1/build/auto_execute', '{"enabled":true}', named)).status,
      200,
    );
    const wrong = await answerOf(client, devloop, 'x"1');
    assert.equal(wrong.code, 9);
    assert.match(wrong.details, /No Skaffold session at port "x\\"1"/);
    assert.deepEqual(first.script.happenings('call'), []);
    assert.deepEqual(
      second.script.happenings('call').map(({ name }) => name),
      ['auto sync', 'auto build'],
    );
  });

  test('what a Skaffold builds and deploys is in the state', async t => {
    const { service, client } = await serveSkaffolds(t, 1);
    await answerOf(client, autoSync(true));
    const state = await new Promise<State>((resolve, reject) =>
      client.getState({}, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
    assert.deepEqual(state.buildState, { artifacts: { 'shop-0': 'Complete' }, autoTrigger: false, statusCode: 0 });
    assert.equal(state.deployState?.status, 'Complete');
    assert.deepEqual(state.fileSyncState, { status: 'Not Started', autoTrigger: true });
    const json = (await (await fetch(`http://127.0.0.1:${service.httpPort}/v1/state`)).json()) as Record<
      string,
      unknown
    >;
    assert.deepEqual(json['buildState'], { artifacts: { 'shop-0': 'Complete' }, autoTrigger: false, statusCode: 'OK' });
    assert.deepEqual(Object.keys(json), [
      ...['buildState', 'deployState', 'forwardedPorts', 'statusCheckState', 'fileSyncState', 'debuggingContainers'],
      ...['metadata', 'testState'],
    ]);
  });
});
