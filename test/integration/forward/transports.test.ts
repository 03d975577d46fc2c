import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import test, { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PodError, TRANSPORTS } from '../../../src/cluster/forward/session.ts';
import { download, echo, endOf, exchange, open, talk, until, upload } from './support/clients.ts';
import { patternHash, PORT } from './support/podApp.ts';
import { leftOf, setup } from './support/setup.ts';

const MIB = 1 << 20;
const SIZE = 200 * MIB;
const want = patternHash(SIZE);

for (const transport of TRANSPORTS) {
  const transports = [transport];

  describe(transport, () => {
    test('200 MiB down and up arrive unchanged', async t => {
      const { open: forward, problems } = await setup(t, { transports });
      const { localPort } = await forward(PORT.bulk);
      assert.equal(await download(localPort, SIZE), want);
      assert.equal(await upload(localPort, SIZE), want);
      assert.deepEqual(problems, []);
    });

    test('100 connections at once get each their own bytes', async t => {
      const { open: forward, problems } = await setup(t, { transports });
      const { localPort } = await forward(PORT.echo);
      const texts = Array.from({ length: 100 }, (_, index) => `connection ${index} `.repeat(50));
      assert.deepEqual(await Promise.all(texts.map(text => echo(localPort, text))), texts);
      assert.deepEqual(problems, []);
    });

    test('1000 connections in a row leave no socket and no stream', async t => {
      const { open: forward, problems, app, api } = await setup(t, { transports });
      const opened = await forward(PORT.echo);
      await echo(opened.localPort);
      await until('first connection gone', () => leftOf(opened) === 0 && app.open === 0);
      for (let index = 0; index < 1000; index++) assert.equal(await echo(opened.localPort), 'hello');
      await until('streams gone', () => leftOf(opened) === 0);
      await until('pod sockets gone', () => app.open === 0);
      await until('API connections gone', () => api.connections <= opened.sessions.length);
      assert.ok(opened.sessions.length <= 4);
      assert.deepEqual(problems, []);
    });

    test('the answer to a client that has ended arrives while the runtime keeps it open', async t => {
      const { open: forward } = await setup(t, { transports });
      const { localPort } = await forward(PORT.answersLate);
      assert.deepEqual(await talk(localPort, '200', { end: true }), { text: 'late', how: 'end' });
    });

    test('a client that goes away is seen by the pod', async t => {
      const { open: forward, app } = await setup(t, { transports });
      const { localPort } = await forward(PORT.echo);
      const socket = await open(localPort);
      await exchange(socket, 'x');
      assert.equal(app.open, 1);
      socket.destroy();
      await until('pod has seen it', () => app.open === 0);
    });

    test('a pod that closes ends the client in good order', async t => {
      const { open: forward, problems } = await setup(t, { transports });
      const { localPort } = await forward(PORT.closesFirst);
      assert.deepEqual(await talk(localPort, ''), { text: 'bye', how: 'end' });
      assert.deepEqual(problems, []);
    });

    test('a client that never closes is closed after the pod has ended', async t => {
      const { open: forward } = await setup(t, { transports });
      const opened = await forward(PORT.closesFirst);
      const socket = net.connect({ port: opened.localPort, host: '127.0.0.1', allowHalfOpen: true });
      socket.resume();
      await once(socket, 'end');
      await until('nothing is left', () => leftOf(opened) === 0);
      socket.destroy();
    });

    test("a reset by the pod resets the client and is told in the pod's words", async t => {
      const { open: forward, problems } = await setup(t, { transports });
      const { localPort } = await forward(PORT.resets);
      assert.equal((await talk(localPort, 'x')).how, 'ECONNRESET');
      assert.ok(problems[0] instanceof PodError);
      assert.match(problems[0].message, /connection reset by peer/);
    });

    test("a port that nobody listens on resets the client and is told in the runtime's words", async t => {
      const { open: forward, problems } = await setup(t, { transports });
      const { localPort } = await forward(PORT.nobody);
      assert.equal((await talk(localPort, 'x')).how, 'ECONNRESET');
      assert.match(problems[0]?.message ?? '', /^error forwarding port 9999 to pod .*connect: connection refused/);
    });

    test('H40: clients that break off in mid-transfer, twenty times, then the next one works', async t => {
      const { open: forward, app, problems } = await setup(t, { transports });
      const flood = await forward(PORT.flood);
      for (let index = 0; index < 20; index++) {
        const socket = await open(flood.localPort);
        await once(socket, 'data');
        socket.resetAndDestroy();
      }
      const socket = await open(flood.localPort);
      await once(socket, 'data');
      socket.destroy();
      await until('pod is rid of them', () => app.open === 0);
      await until('no stream is left', () => leftOf(flood) === 0);
      assert.deepEqual(problems, []);
    });

    test('a client that does not read holds up nobody and takes no memory', async t => {
      const { open: forward, app } = await setup(t, { transports });
      const echoed = await forward(PORT.echo);
      await app.listen(PORT.echo + 1000, socket => void flood(socket));
      const flooded = await forward(PORT.echo + 1000);
      await echo(echoed.localPort);
      const stalled = await open(flooded.localPort);
      stalled.pause();
      if (transport === 'v4') await sleep(500);
      else await until('session is held up', () => flooded.sessions.some(({ congested }) => congested));
      const before = process.memoryUsage().rss;
      for (let index = 0; index < 6; index++) {
        const other = await open(flooded.localPort);
        other.write('echo\n');
        assert.equal((await once(other, 'data')).toString(), 'echo\n');
        other.destroy();
        assert.equal(await echo(echoed.localPort), 'hello');
      }
      await sleep(500);
      assert.ok(process.memoryUsage().rss - before < 60 * MIB, 'memory grows while nobody reads');
      stalled.destroy();
    });

    test('a pod that does not read holds up its own connection only', async t => {
      const { open: forward, app } = await setup(t, { transports });
      await app.listen(7000, socket => void sinkOrEcho(socket));
      const { localPort } = await forward(7000);
      const stuck = await open(localPort);
      stuck.on('error', () => undefined);
      const sent = await writeUntilStuck(stuck, 96 * MIB);
      assert.ok(sent < 96 * MIB, 'nothing held the client back');
      for (let index = 0; index < 6; index++) assert.equal(await echo(localPort, 'echo\n'), 'echo\n');
      stuck.destroy();
    });

    test('H44: two ports of one pod, none of them declared', async t => {
      const { open: forward } = await setup(t, { transports });
      const [first, second] = [await forward(PORT.echo), await forward(PORT.closesFirst)];
      assert.notEqual(first.localPort, second.localPort);
      assert.equal(await echo(first.localPort), 'hello');
      assert.equal((await talk(second.localPort, '')).text, 'bye');
    });

    test('the pod goes: its connections end, new ones are refused until there is a successor on the same port', async t => {
      const { open: forward, api, app, pod } = await setup(t, { transports });
      const opened = await forward(PORT.echo);
      const socket = await open(opened.localPort);
      assert.equal(await exchange(socket, 'x'), 'x');
      api.removePod('web');
      opened.retarget(undefined);
      assert.notEqual(await endOf(socket), 'still open');
      assert.equal((await talk(opened.localPort, 'x')).how, 'ECONNRESET');
      assert.deepEqual(opened.sessions, []);
      const { localPort } = opened;
      opened.retarget(api.addPod('web-2', app));
      assert.equal(await echo(opened.localPort), 'hello');
      assert.equal(opened.localPort, localPort);
      assert.notEqual(pod.pod, 'web-2');
    });
  });
}

/** The first connection is flooded; one that says something is echoed. */
async function flood(socket: net.Socket): Promise<void> {
  const said = once(socket, 'data').then(([chunk]) => chunk as Buffer);
  const chunk = await Promise.race([said, sleep(200, undefined, { ref: false })]);
  if (chunk) return void socket.write(chunk);
  const block = Buffer.alloc(1 << 16);
  const go = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', go);
  go();
}

/** Stops reading after anything but an "echo". */
async function sinkOrEcho(socket: net.Socket): Promise<void> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  if (chunk.toString().startsWith('echo')) socket.write(chunk);
  else socket.pause();
}

async function writeUntilStuck(socket: net.Socket, most: number): Promise<number> {
  const block = Buffer.alloc(1 << 16);
  for (let sent = 0; ; sent += block.length) {
    if (sent >= most) return sent;
    if (socket.write(block)) continue;
    const drained = await Promise.race([once(socket, 'drain').then(() => true), sleep(1000, false)]);
    if (!drained) return sent;
  }
}
