import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import test, { type TestContext } from 'node:test';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { amply, forwardTo, soon } from '../../support/directForward.ts';
import { failure } from '../../support/failure.ts';
import { freePort, listen } from '../../support/listeners.ts';

// What Deno, Bun, rdbg and gdbserver do, scripted after their sources: no machine has them all.

async function serve(t: TestContext, pages: Readonly<Record<string, unknown>>): Promise<number> {
  const server = http.createServer(({ url }, response) => {
    const page = pages[url ?? ''];
    response.writeHead(page === undefined ? 404 : 200).end(JSON.stringify(page));
  });
  t.after(() => server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as net.AddressInfo).port;
}

test('deno: its target is the program', async t => {
  const targets = [{ type: 'node', title: 'deno - main [pid: 7]', url: 'file:///app/main.ts' }];
  const forward = await forwardTo(t, await serve(t, { '/json/list': targets }));
  const ready = await recipeTable.deno.ready(forward, amply());
  assert.deepEqual(ready, { script: '/app/main.ts', target: 'deno - main [pid: 7]' });
  assert.equal(forward.open, 0);
});

test('bun: says its version, on a connection that is gone', async t => {
  const version = { 'Protocol-Version': '1.3', Browser: 'Bun', 'Bun-Version': '1.4.5' };
  const forward = await forwardTo(t, await serve(t, { '/json/version': version }));
  assert.deepEqual(await recipeTable.bun.ready(forward, amply()), { target: 'Bun 1.4.5' });
  assert.equal(forward.open, 0);
});

for (const [name, page] of Object.entries({
  Node: { Browser: 'node.js/v24' },
  'an empty page': null,
  'no such page': undefined,
}))
  test(`bun: ${name} is no Bun`, async t => {
    const forward = await forwardTo(t, await serve(t, { '/json/version': page }));
    await assert.rejects(recipeTable.bun.ready(forward, amply()), failure('wrong-protocol', /./));
    assert.equal(forward.open, 0);
  });

for (const runtime of ['ruby', 'native'] as const) {
  test(`${runtime}: the server sees one client, whose first words are the debugger's`, async t => {
    let clients = 0;
    let heard = '';
    const port = await listen(t, client => {
      clients++;
      client.on('data', chunk => {
        heard += chunk.toString();
        client.write('ok');
      });
    });
    const forward = await forwardTo(t, port);
    await recipeTable[runtime].ready(forward, amply());
    assert.equal(heard, '');
    assert.ok(forward.handedOver[0]!.options.keepMs > 24 * 3600_000, 'it would not take a second one, or ends');
    const client = net.connect(forward.localPort, '127.0.0.1', () => client.write('hello'));
    t.after(() => client.destroy());
    await new Promise(resolve => client.once('data', resolve));
    assert.deepEqual([clients, heard], [1, 'hello']);
  });

  test(`${runtime}: waits for the listener`, async t => {
    const port = await freePort();
    const forward = await forwardTo(t, port);
    const ready = recipeTable[runtime].ready(forward, amply());
    while (forward.dials < 2) await new Promise(resolve => setTimeout(resolve, 20));
    await listen(t, () => undefined, port);
    await ready;
    assert.equal(forward.handedOver.length, 1);
  });
}

for (const runtime of ['deno', 'bun', 'ruby', 'native'] as const)
  test(`${runtime}: says that nothing listens when the time is over`, async t => {
    const forward = await forwardTo(t, await freePort());
    await assert.rejects(recipeTable[runtime].ready(forward, soon()), failure('not-listening', /ECONNREFUSED/));
  });
