import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import test, { describe } from 'node:test';
import { DEFAULT_LIMITS, PodError, TRANSPORTS } from '../../../src/cluster/forward/session.ts';
import { download, echo, endOf, exchange, open, talk, until, upload } from './support/clients.ts';
import { patternHash, PORT } from './support/podApp.ts';
import { leftOf, setup } from './support/setup.ts';

const MIB = 1 << 20;
const SIZE = 200 * MIB;
const want = patternHash(SIZE);

describe('transports', { concurrency: TRANSPORTS.length }, () => {
  for (const transport of TRANSPORTS) {
    const transports = [transport];

    describe(transport, { concurrency: 1 }, () => {
      test('200 MiB down and up arrive unchanged', async t => {
        const { open: forward, problems } = await setup(t, { transports });
        const { localPort } = await forward(PORT.bulk);
        assert.equal(await download(localPort, SIZE), want);
        assert.equal(await upload(localPort, SIZE), want);
        assert.deepEqual(problems, []);
      });

      test('a client that stops and goes gets everything unchanged', async t => {
        const { open: forward, problems } = await setup(t, { transports });
        const { localPort } = await forward(PORT.bulk);
        assert.equal(await download(localPort, 20 * MIB, { stopsEvery: MIB }), patternHash(20 * MIB));
        assert.deepEqual(problems, []);
      });

      test('what a dialled connection said can be kept', async t => {
        const { open: forward } = await setup(t, { transports });
        const opened = await forward(PORT.bulk);
        const connection = await opened.dial(new AbortController().signal);
        const kept: Buffer[] = [];
        connection.on('data', (chunk: Buffer) => kept.push(chunk));
        connection.write(`source ${4 * MIB}\n`);
        await until('all bytes', () => kept.reduce((sum, { length }) => sum + length, 0) === 4 * MIB);
        assert.equal(createHash('sha256').update(Buffer.concat(kept)).digest('hex'), patternHash(4 * MIB));
        connection.destroy();
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
        assert.ok(opened.sessions.length <= DEFAULT_LIMITS.maxSessions);
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
});
