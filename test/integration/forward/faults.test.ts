import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import test, { describe } from 'node:test';
import { PodError, TRANSPORTS } from '../../../src/cluster/forward/session.ts';
import { ApiServer } from './support/apiServer.ts';
import { Relay } from './support/between.ts';
import { echo, endOf, exchange, open as connect, talk, until } from './support/clients.ts';
import { PORT } from './support/podApp.ts';
import { setup, type SetupOptions } from './support/setup.ts';

const text = (errors: readonly Error[]) => errors.map(({ message }) => message).join(' | ');

for (const transport of TRANSPORTS) {
  const transports = [transport];

  describe(transport, () => {
    test('the connection is cut: the client is reset and told, the next one works', async t => {
      const relays: Relay[] = [];
      const { open, problems } = await setup(t, { transports, via: relayed(t, relays) });
      const { localPort } = await open(PORT.echo);
      const socket = await connect(localPort);
      assert.equal(await exchange(socket, 'x'), 'x');
      relays[0]?.cut();
      assert.equal(await endOf(socket), 'ECONNRESET');
      assert.equal(problems.length, 1);
      assert.equal(await echo(localPort), 'hello');
    });

    test('the connection goes deaf: the client is reset, new ones fail with a reason', async t => {
      const relays: Relay[] = [];
      const limits = { pingMs: 50, deadPings: 5, dialMs: 300 };
      const { open, problems } = await setup(t, { transports, limits, via: relayed(t, relays) });
      const { localPort } = await open(PORT.echo);
      const socket = await connect(localPort);
      assert.equal(await exchange(socket, 'x'), 'x');
      relays[0]?.goDeaf();
      assert.equal(await endOf(socket), 'ECONNRESET');
      assert.match(text(problems), /no answer to 5 pings/);
      await until('new connections are told', async () => {
        assert.equal((await talk(localPort, 'x')).how, 'ECONNRESET');
        return /no answer within 300 ms/.test(String(problems.at(-1)?.cause));
      });
    });

    test('H43: a quiet connection is kept alive by pings', async t => {
      const limits = { pingMs: 20, deadPings: 3 };
      const { open, problems } = await setup(t, { transports, limits, via: closesWhenSilent(t, 200) });
      const { localPort } = await open(PORT.echo);
      const socket = await connect(localPort);
      assert.equal(await exchange(socket, 'x'), 'x');
      assert.equal(await endOf(socket, 800), 'still open');
      assert.equal(await exchange(socket, 'y'), 'y');
      socket.destroy();
      assert.deepEqual(problems, []);
    });

    test('the API server restarts: the client is reset, the next one works on the same local port', async t => {
      const { open, api, app, problems } = await setup(t, { transports });
      const { localPort } = await open(PORT.echo);
      const socket = await connect(localPort);
      assert.equal(await exchange(socket, 'x'), 'x');
      const { port, certificate } = api;
      await api.close();
      assert.equal(await endOf(socket), 'ECONNRESET');
      assert.equal((await talk(localPort, 'x')).how, 'ECONNRESET');
      assert.match(String(problems.at(-1)?.cause), /ECONNREFUSED/);
      const again = await ApiServer.start({ port, ...(certificate ? { certificate } : {}) });
      t.after(() => again.close());
      again.addPod('web', app);
      assert.equal(await echo(localPort), 'hello');
    });

    test('nobody says that the pod is gone: the sessions find out', async t => {
      const { open, api, problems } = await setup(t, { transports });
      const forward = await open(PORT.echo);
      const socket = await connect(forward.localPort);
      assert.equal(await exchange(socket, 'x'), 'x');
      api.removePod('web');
      assert.notEqual(await endOf(socket), 'still open');
      assert.equal((await talk(forward.localPort, 'x')).how, 'ECONNRESET');
      assert.equal((await talk(forward.localPort, 'x')).how, 'ECONNRESET');
      assert.match(String(problems.at(-1)?.cause), /pods "web" not found/);
      if (transport !== 'v4') {
        assert.ok(problems[0] instanceof PodError);
        assert.match(problems[0].message, /network namespace for sandbox "uid-1-sandbox" is closed/);
      }
      await until('no session is left', () => transport === 'v4' || forward.sessions.length === 0);
    });

    test('the program restarts in place: refused meanwhile, then it works again', async t => {
      const { open, app, problems } = await setup(t, { transports });
      const { localPort } = await open(6000);
      assert.equal((await talk(localPort, 'x')).how, 'ECONNRESET');
      assert.match(text(problems), /connection refused/);
      await app.listen(6000, socket => socket.pipe(socket));
      assert.equal(await echo(localPort), 'hello');
    });
  });
}

describe('bytes that are no SPDY', () => {
  const cases: { name: string; bytes: Buffer }[] = [
    { name: 'text', bytes: Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello') },
    { name: 'another version of SPDY', bytes: Buffer.from('80020006000000040000000180020006', 'hex') },
    { name: 'a control frame of 16 MiB', bytes: Buffer.from('8003000100ffffff', 'hex') },
    { name: 'an end', bytes: Buffer.alloc(0) },
  ];
  for (const { name, bytes } of cases)
    test(name, async t => {
      const { open, problems, forwards } = await setup(t, { tls: false, transports: ['spdy'], via: babbler(t, bytes) });
      const forward = await open(PORT.echo);
      assert.equal((await talk(forward.localPort, 'x')).how, 'ECONNRESET');
      assert.match(text(problems), /expected a SPDY\/3\.1 frame, got the bytes|the other side closed/);
      forwards.dispose();
    });
});

type Via = NonNullable<SetupOptions['via']>;
type Context = Parameters<typeof setup>[0];

const relayed =
  (t: Context, relays: Relay[]): Via =>
  async api => {
    const relay = await Relay.start(api.url);
    relays.push(relay);
    t.after(() => relay.close());
    return relay.url;
  };

/** A load balancer that closes connections on which nothing was said for a while. */
const closesWhenSilent =
  (t: Context, silenceMs: number): Via =>
  async api => {
    const server = net.createServer(near => {
      const far = net.connect(api.port, '127.0.0.1');
      near.setTimeout(silenceMs, () => near.destroy());
      for (const side of [near, far]) {
        side.on('error', () => undefined);
        side.on('close', () => {
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.pipe(near);
    });
    return listen(t, server, api.url);
  };

/** Accepts the upgrade and then says what it likes, once a stream is opened. */
const babbler =
  (t: Context, bytes: Buffer): Via =>
  async api => {
    const server = net.createServer(socket => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
        socket.once('data', () => socket.end(bytes));
      });
    });
    return listen(t, server, api.url);
  };

async function listen(t: Context, server: net.Server, like: URL): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = new URL(like);
  url.port = String((server.address() as AddressInfo).port);
  return url;
}
