import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import { curl } from '../../support/curl.ts';
import { eventually } from '../demo/support.ts';
import { entriesOf, numbered, readGrpc, readHttp, serve } from './support.ts';

test('curl gets all that there is, chunk by chunk, and ends without an error', async t => {
  const { service, notices } = await serve(t);
  notices(1, 500);
  const raw = curl(t, '--raw', `http://127.0.0.1:${service.httpPort}/v1/events`);
  const plain = curl(t, `http://localhost:${service.httpPort}/v1/event_log`);
  for (const { seen } of [raw, plain])
    await eventually('the replay', () => seen().includes('"event 500"') || undefined);
  notices(501, 600);
  await service.close();
  assert.equal(await raw.code, 0, await raw.stderr);
  assert.equal(await plain.code, 0, await plain.stderr);
  assert.match(raw.seen(), /\r\n0\r\n\r\n$/, 'the final chunk');
  const entries = plain
    .seen()
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { result: { entry: string } }).result.entry);
  assert.deepEqual(entries.slice(1), numbered(1, 600));
});

test('streams of both protocols end well with all that was said before', async t => {
  const { service, notices } = await serve(t);
  notices(1, 100);
  const [http, grpc, log] = [
    await readHttp(service.httpPort),
    readGrpc(service.grpcPort),
    readGrpc(service.grpcPort, 'eventLog'),
  ];
  for (const reader of [http, grpc, log])
    await eventually('the replay', () => entriesOf(reader).at(-1) === 'event 100' || undefined);
  notices(101, 3000);
  await service.close();
  assert.equal(await http.ended, 'complete');
  for (const reader of [grpc, log]) assert.equal((await reader.ended).code, 0);
  for (const reader of [http, grpc, log]) assert.deepEqual(entriesOf(reader), numbered(1, 3000));
});

test('readers that keep their connections open do not hold up the end', async t => {
  const { service, notices } = await serve(t);
  notices(1, 1);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: service.httpPort, path: '/v1/events', agent }, resolve).once('error', reject);
  });
  assert.equal(response.headers.connection, 'close');
  const ended = once(response.resume(), 'end');
  await service.close();
  await ended;
});

test('readers that do not read do not hold up the end, and nobody is served after it', async t => {
  const { service, store, notices } = await serve(t);
  notices(1, 1);
  const [http, grpc] = [await readHttp(service.httpPort), readGrpc(service.grpcPort)];
  const good = readGrpc(service.grpcPort);
  const silent = [service.httpPort, service.grpcPort].map(port => connect(port, '127.0.0.1').resume());
  for (const socket of silent) {
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
  }
  for (const reader of [http, grpc, good])
    await eventually('the replay', () => entriesOf(reader).length === 1 || undefined);
  http.pause();
  grpc.pause();
  for (let i = 1; i <= 3000; i++)
    store.apply({ kind: 'notice', source: 'test', level: 'info', text: `${i} ${'x'.repeat(9000)}` });
  await service.close();
  assert.equal((await good.ended).code, 0);
  assert.equal(entriesOf(good).length, 3001);
  http.resume();
  grpc.resume();
  await Promise.all([http.ended, grpc.ended]);
  await eventually('their ends', () => silent.every(({ destroyed }) => destroyed) || undefined);
  for (const port of [service.httpPort, service.grpcPort]) {
    const refused = new Promise<string>(resolve => {
      connect(port, '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
    });
    assert.equal(await refused, 'ECONNREFUSED');
  }
});

test('a second end is the first one; what comes meanwhile is not served', async t => {
  const { service } = await serve(t);
  const reader = readGrpc(service.grpcPort);
  await eventually('it reads', () => reader.entries.length === 1 || undefined);
  const [first, second] = [service.close(), service.close()];
  assert.equal(first, second);
  await first;
  assert.equal((await reader.ended).code, 0);
});
