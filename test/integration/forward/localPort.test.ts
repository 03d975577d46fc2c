import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import test, { describe } from 'node:test';
import type { FollowId } from '../../../src/core/identity.ts';
import { holderOf } from '../../../src/cluster/forward/portHolder.ts';
import { listenOn } from '../../../src/cluster/forward/localPort.ts';
import { echo, endOf, exchange, open as connect, talk, until } from './support/clients.ts';
import { PORT } from './support/podApp.ts';
import { FOLLOW, never, setup } from './support/setup.ts';

/** A port that nobody holds; another program could take it, but does not try to. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('local port', () => {
  test("the pod's own number when it is free", async t => {
    const { open, app } = await setup(t);
    const port = await freePort();
    await app.listen(port, socket => socket.pipe(socket));
    const forward = await open(port);
    assert.equal(forward.localPort, port);
    assert.equal(await echo(port), 'hello');
  });

  test('another one when it is busy, and who holds it', async t => {
    const { open, log } = await setup(t);
    const holder = net.createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    t.after(() => holder.close());
    const { port } = holder.address() as AddressInfo;
    const forward = await open(port);
    assert.notEqual(forward.localPort, port);
    assert.match(log.join('\n'), new RegExp(`local port ${port} cannot be used \\(EADDRINUSE`));
    if (process.platform === 'linux') {
      assert.match(log.join('\n'), new RegExp(`held by .* \\(process ${process.pid}\\)`));
      assert.match((await holderOf(port)) ?? '', new RegExp(`process ${process.pid}`));
    }
  });

  test('H41: EACCES is like a busy port', async t => {
    const server = net.createServer();
    t.after(() => server.close());
    // No port of this machine is refused with EACCES to a test that may run as root: `listen` is asked twice instead.
    const listen = server.listen.bind(server) as (port: number, host: string) => net.Server;
    server.listen = ((port: number, host: string) => {
      if (port !== 5005) return listen(port, host);
      setImmediate(() => server.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })));
      return server;
    }) as typeof server.listen;
    const log: string[] = [];
    const port = await listenOn(server, [5005, 0], text => void log.push(text));
    assert.notEqual(port, 5005);
    assert.match(log[0] ?? '', /local port 5005 cannot be used \(EACCES/);
  });

  test('another error is said', async t => {
    const server = net.createServer();
    t.after(() => server.close());
    server.listen = (() => {
      setImmediate(() => server.emit('error', Object.assign(new Error('no address'), { code: 'EADDRNOTAVAIL' })));
      return server;
    }) as typeof server.listen;
    await assert.rejects(
      listenOn(server, [5005, 0], () => undefined),
      { code: 'no-local-port' },
    );
  });

  test('never a privileged one', async t => {
    const { open } = await setup(t);
    assert.ok((await open(80)).localPort >= 1024);
  });

  test('remembered for what is followed', async t => {
    const { forwards, pod } = await setup(t);
    const first = await forwards.open({ pod, port: PORT.nobody, follow: FOLLOW, localPort: await freePort() }, never());
    const { localPort } = first;
    first.dispose();
    const other = await forwards.open({ pod, port: PORT.nobody, follow: 'Deployment/db' as FollowId }, never());
    assert.notEqual(other.localPort, localPort);
    const again = await forwards.open({ pod, port: PORT.nobody, follow: FOLLOW }, never());
    assert.equal(again.localPort, localPort);
  });
});

describe('connections', () => {
  test('not more than the limit, and the one too many is said', async t => {
    const { open, problems } = await setup(t, { limits: { maxConnections: 3 } });
    const { localPort } = await open(PORT.echo);
    const sockets = await Promise.all([connect(localPort), connect(localPort), connect(localPort)]);
    for (const socket of sockets) assert.equal(await exchange(socket, 'x'), 'x');
    assert.equal((await talk(localPort, 'x')).how, 'ECONNRESET');
    assert.match(problems[0]?.message ?? '', /has 3 connections open/);
    sockets[0]?.destroy();
    await until('there is room', async () => (await echo(localPort)) === 'hello');
    for (const socket of sockets) socket.destroy();
  });

  test('a connection that is dialled is handed to the next client, once', async t => {
    const { open, app } = await setup(t);
    const forward = await open(PORT.echo);
    const kept = await forward.dial(never());
    kept.write('before ');
    forward.handOver(kept, { keepMs: 60_000 });
    const socket = await connect(forward.localPort);
    let got = '';
    socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
    socket.write('after');
    await until('both came', () => got === 'before after');
    assert.equal(app.accepted, 1);
    socket.destroy();
    assert.equal(await echo(forward.localPort), 'hello');
    assert.equal(app.accepted, 2);
  });

  test('greet exchanges bytes with the client before the pod does', async t => {
    const { open } = await setup(t);
    const forward = await open(PORT.echo);
    const kept = await forward.dial(never());
    forward.handOver(kept, {
      keepMs: 60_000,
      greet: async client => {
        const [said] = (await once(client, 'data')) as [Buffer];
        client.write(`greeted ${said.toString()}`);
      },
    });
    const socket = await connect(forward.localPort);
    assert.equal(await exchange(socket, 'handshake'), 'greeted handshake');
    assert.equal(await exchange(socket, 'echo'), 'echo');
    socket.destroy();
  });

  test('a stranger that greets badly is refused, and the kept connection waits for the next client', async t => {
    const { open, app } = await setup(t);
    const forward = await open(PORT.echo);
    forward.handOver(await forward.dial(never()), {
      keepMs: 60_000,
      greet: async client => {
        const [said] = (await once(client, 'data')) as [Buffer];
        if (said.toString() !== 'friend') throw new Error('a stranger');
        client.write('welcome');
      },
    });
    assert.equal((await talk(forward.localPort, 'scan')).how, 'ECONNRESET');
    const socket = await connect(forward.localPort);
    assert.equal(await exchange(socket, 'friend'), 'welcome');
    assert.equal(await exchange(socket, 'echo'), 'echo');
    assert.equal(app.accepted, 1);
    socket.destroy();
  });

  test('a kept connection that nobody takes is closed', async t => {
    const { open, app } = await setup(t);
    const forward = await open(PORT.echo);
    forward.handOver(await forward.dial(never()), { keepMs: 100 });
    await until('pod has the connection', () => app.open === 1);
    await until('pod is rid of it', () => app.open === 0);
    assert.equal(await echo(forward.localPort), 'hello');
  });

  test('dialling a port that nobody listens on: the raw text destroys the connection', async t => {
    const { open } = await setup(t);
    const forward = await open(PORT.nobody);
    const connection = await forward.dial(never());
    const [error] = (await once(connection, 'error')) as [Error];
    assert.match(error.message, /connection refused/);
  });

  test('a closed forward has let go of everything', async t => {
    const { forwards, pod, app, api } = await setup(t);
    // Below the range from which systems give ports: no other test can get it the moment that it is free again.
    const localPort = 20_000 + Math.floor(Math.random() * 10_000);
    const forward = await forwards.open({ pod, port: PORT.echo, follow: FOLLOW, localPort }, never());
    const socket = await connect(forward.localPort);
    assert.equal(await exchange(socket, 'x'), 'x');
    forward.dispose();
    assert.equal(await endOf(socket), 'ECONNRESET');
    await until('pod is rid of it', () => app.open === 0);
    await until('API server is rid of it', () => api.connections === 0);
    await assert.rejects(connect(forward.localPort), { code: 'ECONNREFUSED' });
  });

  test('an opening that is given up leaves nothing', async t => {
    const { forwards, pod, api } = await setup(t);
    const reason = new Error('changed my mind');
    await assert.rejects(forwards.open({ pod, port: PORT.echo, follow: FOLLOW }, AbortSignal.abort(reason)), reason);
    await until('API server is rid of it', () => api.connections === 0);
  });
});
