import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import test, { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TRANSPORTS } from '../../../src/cluster/forward/session.ts';
import { echo, exchange, open, until } from './support/clients.ts';
import { PORT } from './support/podApp.ts';
import { setup } from './support/setup.ts';

const MIB = 1 << 20;

for (const transport of TRANSPORTS) {
  const transports = [transport];

  describe(transport, () => {
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

    test('six connections that are open before another one stops reading go on', async t => {
      const { open: forward, app } = await setup(t, { transports });
      await app.listen(7001, socket => socket.on('data', chunk => floodOrEcho(socket, chunk)));
      const { localPort } = await forward(7001);
      const others: Socket[] = [];
      for (let index = 0; index < 6; index++) {
        const other = await open(localPort);
        assert.equal(await exchange(other, 'echo'), 'echo');
        others.push(other);
      }
      const stalled = await open(localPort);
      stalled.pause();
      stalled.write('flood');
      await sleep(500);
      for (const other of others) assert.equal(await exchange(other, 'again'), 'again');
      for (const socket of [stalled, ...others]) socket.destroy();
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
  });
}

/** The first connection is flooded; one that says something is echoed. */
async function flood(socket: Socket): Promise<void> {
  const said = once(socket, 'data').then(([chunk]) => chunk as Buffer);
  const chunk = await Promise.race([said, sleep(200, undefined, { ref: false })]);
  if (chunk) return void socket.write(chunk);
  pour(socket);
}

const floodOrEcho = (socket: Socket, chunk: Buffer) =>
  chunk.toString() === 'flood' ? pour(socket) : void socket.write(chunk);

function pour(socket: Socket): void {
  const block = Buffer.alloc(1 << 16);
  const go = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', go);
  go();
}

/** Stops reading after anything but an "echo". */
async function sinkOrEcho(socket: Socket): Promise<void> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  if (chunk.toString().startsWith('echo')) socket.write(chunk);
  else socket.pause();
}

async function writeUntilStuck(socket: Socket, most: number): Promise<number> {
  const block = Buffer.alloc(1 << 16);
  for (let sent = 0; ; sent += block.length) {
    if (sent >= most) return sent;
    if (socket.write(block)) continue;
    const drained = await Promise.race([once(socket, 'drain').then(() => true), sleep(1000, false)]);
    if (!drained) return sent;
  }
}
