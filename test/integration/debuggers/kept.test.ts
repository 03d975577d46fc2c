import assert from 'node:assert/strict';
import net from 'node:net';
import test, { type TestContext } from 'node:test';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { amply, type DirectForward, forwardTo, soon } from '../../support/directForward.ts';
import { freePort, listen } from '../../support/listeners.ts';
import { failure } from '../../support/failure.ts';

/** Sends one line through the forward and reads the answer. */
async function talk(t: TestContext, forward: DirectForward, until: RegExp): Promise<string> {
  const client = net.connect(forward.localPort, '127.0.0.1', () => client.write('hello'));
  t.after(() => client.destroy());
  let seen = '';
  for await (const chunk of client) {
    seen += (chunk as Buffer).toString();
    if (until.test(seen)) break;
  }
  return seen;
}

test('go: a silent server sees one connection and not a byte before the debugger comes', async t => {
  let clients = 0;
  let bytes = '';
  const port = await listen(t, client => {
    clients++;
    client.on('data', chunk => {
      bytes += chunk.toString();
      client.write(`got ${chunk.toString()}`);
    });
  });
  const forward = await forwardTo(t, port);
  await recipeTable.go.ready(forward, amply());
  assert.equal(bytes, '');
  assert.equal(await talk(t, forward, /got hello/), 'got hello');
  assert.equal(clients, 1);
});

test('go: the connection is kept until the forward closes', async t => {
  const forward = await forwardTo(t, await listen(t, () => undefined));
  await recipeTable.go.ready(forward, amply());
  const [go] = forward.handedOver.map(({ options }) => options.keepMs);
  assert.ok(go! > 24 * 3600_000 && go! < 2 ** 31);
});

for (const runtime of ['python', 'go'] as const) {
  test(`${runtime}: a server that closes at once is told after a few tries`, async t => {
    const forward = await forwardTo(t, await listen(t, client => setTimeout(() => client.destroy(), 5)));
    const words = runtime === 'go' ? /--only-same-user=false/ : /one client at a time/;
    await assert.rejects(recipeTable[runtime].ready(forward, amply()), failure('listener-closed', /./, words));
    assert.equal(forward.dials, 3);
    assert.equal(forward.handedOver.length, 0);
  });

  test(`${runtime}: says that nothing listens when the time is over`, async t => {
    const forward = await forwardTo(t, await freePort());
    await assert.rejects(recipeTable[runtime].ready(forward, soon()), failure('not-listening', /ECONNREFUSED/));
    assert.equal(forward.open, 0);
  });
}

test('go: waits while the pod refuses connections', async t => {
  const port = await freePort();
  const forward = await forwardTo(t, port);
  const ready = recipeTable.go.ready(forward, amply());
  while (forward.dials < 2) await new Promise(resolve => setTimeout(resolve, 20));
  assert.equal(forward.handedOver.length, 0);
  await listen(t, () => undefined, port);
  await ready;
  assert.equal(forward.handedOver.length, 1);
});
