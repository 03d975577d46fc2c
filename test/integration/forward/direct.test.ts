import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import test, { describe, type TestContext } from 'node:test';
import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import { echo, endOf, open as connect, until } from './support/clients.ts';
import { FOLLOW, never } from './support/setup.ts';

/** As Docker publishes a container's port on this machine. */
async function published(t: TestContext, app: (socket: Socket) => void) {
  const server = net.createServer({ allowHalfOpen: true }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { server, direct: { host: '127.0.0.1', port: (server.address() as AddressInfo).port } };
}

async function forwardTo(t: TestContext, direct: { host: string; port: number }) {
  const accessOf = () => assert.fail('there is no cluster to ask');
  const forwards = openForwards({ accessOf });
  t.after(() => forwards.dispose());
  const pod = { cluster: 'none', namespace: '', pod: '', podUid: '' };
  return forwards.open({ pod, port: 9229, follow: FOLLOW, direct }, never());
}

describe('a port that is published on this machine', () => {
  test('is reached over a local port of its own, without a cluster', async t => {
    const { direct } = await published(t, socket => socket.pipe(socket));
    const forward = await forwardTo(t, direct);
    assert.equal(await echo(forward.localPort), 'hello');
    const probe = await forward.dial(never());
    probe.write('once');
    assert.equal(String((await once(probe, 'data'))[0]), 'once');
    probe.destroy();
  });

  test('that nobody listens on any more ends the connection with the reason', async t => {
    const { direct, server } = await published(t, socket => socket.pipe(socket));
    const forward = await forwardTo(t, direct);
    server.close();
    const problems: string[] = [];
    forward.onProblem(error => problems.push(error.message));
    assert.equal(await endOf(await connect(forward.localPort)), 'ECONNRESET');
    await until('the reason', () => problems.length > 0);
    assert.match(problems.join(), /ECONNREFUSED/);
  });

  test('closes its connections with the forward', async t => {
    let app: Socket | undefined;
    const { direct } = await published(t, socket => (app = socket));
    const forward = await forwardTo(t, direct);
    const client = endOf(await connect(forward.localPort));
    await until('the connection', () => app !== undefined);
    const ended = once(app!, 'close');
    app!.resume();
    app!.on('end', () => app!.end());
    forward.dispose();
    await ended;
    assert.equal(await client, 'ECONNRESET');
  });
});
