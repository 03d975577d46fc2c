import assert from 'node:assert/strict';
import { request, type RequestOptions } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { Client, credentials, type Metadata, Metadata as MetadataClass, type ServiceError } from '@grpc/grpc-js';
import type { UserError } from '../../../src/core/errors.ts';
import { eventually } from '../demo/support.ts';
import { clientAt, entriesOf, noSkaffolds, readGrpc, readHttp, serve } from './support.ts';
import { startEventService } from '../../../src/service/eventService.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Store } from '../../../src/core/store.ts';

/** One request; the answer's status, headers and text. */
function ask(
  port: number,
  options: RequestOptions,
  body = '',
): Promise<{ status: number; headers: object; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, agent: false, ...options }, response => {
      text(response).then(
        answer => resolve({ status: response.statusCode!, headers: response.headers, body: answer }),
        reject,
      );
    });
    call.on('error', reject).end(body);
  });
}

const pages: { name: string; headers: Record<string, string> }[] = [
  { name: 'another host', headers: { host: 'evil.example' } },
  { name: 'another host with our port', headers: { host: 'evil.example:50052' } },
  { name: 'a host that only begins like ours', headers: { host: '127.0.0.1.evil.example' } },
  { name: 'a host that only ends like ours', headers: { host: 'evil-localhost' } },
  { name: 'an address of the network', headers: { host: '192.168.1.7:50052' } },
  { name: 'an origin', headers: { origin: 'https://evil.example' } },
  { name: 'the origin of a file', headers: { origin: 'null' } },
  { name: 'an origin of our own', headers: { origin: 'http://127.0.0.1:50052' } },
  { name: 'a picture in a page', headers: { 'sec-fetch-site': 'cross-site' } },
  { name: 'a picture in a page of this machine', headers: { 'sec-fetch-site': 'same-site' } },
];
const ways = [
  { method: 'GET', path: '/v1/events' },
  { method: 'GET', path: '/v1/state' },
  { method: 'POST', path: '/v1/execute' },
  { method: 'OPTIONS', path: '/v1/execute' },
];
for (const { name, headers } of pages)
  test(`a web page gets nothing: ${name}`, async t => {
    const { service } = await serve(t);
    for (const way of ways) {
      const answer = await ask(service.httpPort, { ...way, headers });
      assert.equal(answer.status, 403, way.path);
      assert.equal((JSON.parse(answer.body) as { code: number }).code, 7);
      assert.deepEqual(
        Object.keys(answer.headers).filter(header => header.startsWith('access-control')),
        [],
      );
    }
  });

for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.0.0.1:9000', 'LOCALHOST:50052'])
  test(`a program that calls it ${host} is served`, async t => {
    const { service } = await serve(t);
    assert.equal((await ask(service.httpPort, { path: '/v1/state', headers: { host } })).status, 200);
  });

/** Calls `GetState` over gRPC under another name, or with metadata. */
function stateOf(port: number, { authority, metadata }: { authority?: string; metadata?: Metadata }): Promise<number> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    ...(authority ? { 'grpc.default_authority': authority } : {}),
  });
  return new Promise(resolve => {
    const done = (error: ServiceError | null) => {
      client.close();
      resolve(error?.code ?? 0);
    };
    const empty = () => Buffer.alloc(0);
    client.makeUnaryRequest(
      '/proto.SkaffoldService/GetState',
      empty,
      bytes => bytes,
      {},
      metadata ?? new MetadataClass(),
      done,
    );
  });
}

test('the same over gRPC: by the authority, and by the origin', async t => {
  const { service } = await serve(t);
  const port = service.grpcPort;
  assert.equal(await stateOf(port, {}), 0);
  assert.equal(await stateOf(port, { authority: 'localhost:1' }), 0);
  assert.equal(await stateOf(port, { authority: 'evil.example' }), 7);
  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const) {
    const metadata = new MetadataClass();
    metadata.set(name, value);
    assert.equal(await stateOf(port, { metadata }), 7, name);
  }
});

test('a stream over gRPC is refused as well', async t => {
  const { service } = await serve(t);
  const client = new Client(`127.0.0.1:${service.grpcPort}`, credentials.createInsecure(), {
    'grpc.default_authority': 'evil.example',
  });
  const call = client.makeServerStreamRequest(
    '/proto.SkaffoldService/Events',
    () => Buffer.alloc(0),
    bytes => bytes,
    {},
  );
  call.on('data', () => assert.fail('data'));
  const code = await new Promise(resolve => call.on('error', (error: ServiceError) => resolve(error.code)));
  client.close();
  assert.equal(code, 7);
});

test('only the loopback is listened to, both of its addresses', async t => {
  const { service, notices } = await serve(t);
  notices(1, 1);
  const others = Object.values(networkInterfaces())
    .flat()
    .filter(one => one && !one.internal && one.family === 'IPv4');
  for (const { address } of others as { address: string }[])
    for (const port of [service.grpcPort, service.httpPort]) {
      const outcome = await new Promise(resolve => {
        const socket = connect(port, address);
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
        t.after(() => socket.destroy());
      });
      assert.equal(outcome, 'refused', address);
    }
  const hasV6 = Object.values(networkInterfaces())
    .flat()
    .some(one => one?.address === '::1');
  if (!hasV6) return t.diagnostic('this machine has no ::1');
  const reader = await readHttp(service.httpPort, '/v1/events', '::1');
  await eventually('over IPv6', () => entriesOf(reader).length === 1 || undefined);
  const client = clientAt(service.grpcPort, '[::1]');
  await new Promise<void>((resolve, reject) => client.getState({}, error => (error ? reject(error) : resolve())));
  client.close();
});

const wrong = [
  { name: 'an unknown path', way: { path: '/v1/nothing' }, status: 404, code: 5 },
  { name: 'a path above', way: { path: '/v1/../v1/state' }, status: 404, code: 5 },
  { name: 'v2', way: { path: '/v2/events' }, status: 404, code: 5 },
  { name: 'the method of another path', way: { path: '/v1/events', method: 'POST' }, status: 501, code: 12 },
  { name: 'a method that objects have', way: { path: '/v1/events', method: 'PURGE' }, status: 501, code: 12 },
  { name: 'handing in an event', way: { path: '/v1/events/handle', method: 'POST' }, status: 404, code: 5 },
];
for (const { name, way, status, code } of wrong)
  test(`answered as a gateway does: ${name}`, async t => {
    const { service } = await serve(t);
    const answer = await ask(service.httpPort, way);
    assert.equal(answer.status, status);
    const { code: answered, message, details } = JSON.parse(answer.body) as Record<string, unknown>;
    assert.deepEqual({ answered, details }, { answered: code, details: [] });
    assert.ok(message);
  });

test('requests behind a stream on the same connection take no place for ever', async t => {
  const { service, notices } = await serve(t, { mostReaders: 3 });
  notices(1, 1);
  const socket = connect(service.httpPort, '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  t.after(() => socket.destroy());
  socket.write('GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50));
  await eventually('its end', () => socket.destroyed || undefined);
  const readers = [
    await readHttp(service.httpPort),
    await readHttp(service.httpPort),
    await readHttp(service.httpPort),
  ];
  for (const reader of readers) await eventually('it reads', () => entriesOf(reader).length === 1 || undefined);
});

test('a host that is named twice, and an address in place of a path', async t => {
  const { service } = await serve(t);
  const answerTo = async (head: string) => {
    const socket = connect(service.httpPort, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write(`${head}Connection: close\r\n\r\n`);
    return (await text(socket)).split('\r\n')[0]!;
  };
  const own = 'Host: 127.0.0.1\r\n';
  assert.match(await answerTo(`GET /v1/state HTTP/1.1\r\n${own}Host: evil.example\r\n`), /40[03]/);
  assert.match(await answerTo(`GET http://127.0.0.1/v1/state HTTP/1.1\r\n${own}`), /200/);
});

test('calls that wait for a Skaffold are bounded, and ask it once', async t => {
  let asked = 0;
  const answer = Promise.withResolvers<never>();
  const ask = () => {
    asked++;
    return answer.promise;
  };
  const { service, store } = await serve(t, { skaffolds: { state: ask, call: ask } });
  const source = 'skaffold:50051';
  const about = { port: 50_051, origin: 'given', name: 'shop' } as const;
  store.apply({ kind: 'skaffold', source, facts: [{ kind: 'about', about }] });
  store.apply({ kind: 'source', source, state: { kind: 'watching' } });
  const codes: number[] = [];
  const client = clientAt(service.grpcPort);
  for (let n = 0; n < 100; n++) client.getState({}, error => codes.push(error?.code ?? 0));
  await eventually('refusals', () => codes.length === 36 || undefined);
  assert.deepEqual([...new Set(codes)], [8]);
  assert.equal(asked, 1);
  answer.reject(new Error('no answer'));
  await eventually('answers', () => codes.length === 100 || undefined);
  assert.deepEqual([...new Set(codes.slice(36))], [0]);
  client.close();
});

test('a query does not change the path', async t => {
  const { service } = await serve(t);
  assert.equal((await ask(service.httpPort, { path: '/v1/state?x=/v1/events' })).status, 200);
});

test('headers and bodies have limits', async t => {
  const { service } = await serve(t);
  const long = await ask(service.httpPort, { path: '/v1/state', headers: { 'x-long': 'x'.repeat(9000) } });
  assert.equal(long.status, 431);
  const way = { path: '/v1/execute', method: 'POST' };
  const large = await ask(service.httpPort, way, JSON.stringify({ devloop: true, x: 'x'.repeat(70_000) })).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (typeof large === 'object') assert.equal(large.status, 429);
  else assert.match(String(large), /ECONNRESET|EPIPE/);
  for (const [body, code] of [
    ['{', 3],
    ['[]', 3],
    ['"x"', 3],
    ['{"devloop":"yes"}', 3],
    ['{"devloop":true}', 9],
  ] as const) {
    const answer = await ask(service.httpPort, way, body);
    assert.equal(answer.status, 400);
    assert.equal((JSON.parse(answer.body) as { code: number }).code, code, body);
  }
});

test('a large message over gRPC is refused', async t => {
  const { service } = await serve(t);
  const client = new Client(`127.0.0.1:${service.grpcPort}`, credentials.createInsecure());
  const large = () => Buffer.alloc(70_000);
  const code = await new Promise(resolve =>
    client.makeUnaryRequest(
      '/proto.SkaffoldService/GetState',
      large,
      bytes => bytes,
      {},
      error => resolve(error?.code),
    ),
  );
  client.close();
  assert.equal(code, 8);
});

test('the number of streams is bounded; who leaves makes room', async t => {
  const { service, notices } = await serve(t, { mostReaders: 3 });
  notices(1, 1);
  const readers = [readGrpc(service.grpcPort), await readHttp(service.httpPort), await readHttp(service.httpPort)];
  for (const reader of readers) await eventually('it reads', () => entriesOf(reader).length === 1 || undefined);
  const refused = await ask(service.httpPort, { path: '/v1/events' });
  assert.equal(refused.status, 429);
  assert.match(refused.body, /3 streams are open/);
  assert.equal((await readGrpc(service.grpcPort).ended).code, 8);
  readers[1]!.leave();
  const next = await eventually('room', async () => {
    const reader = await readHttp(service.httpPort);
    if (reader.lines.length > 0 && reader.lines[0]!.result) return reader;
    await eventually('an answer', () => reader.lines.length > 0 || undefined).catch(() => undefined);
    return reader.lines[0]?.result ? reader : undefined;
  });
  next.leave();
  readers[0]!.leave();
});

test('the number of connections is bounded; those that go make room', async t => {
  const { service } = await serve(t);
  for (const port of [service.httpPort, service.grpcPort]) {
    const sockets = Array.from({ length: 300 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    t.after(() => sockets.forEach(socket => socket.destroy()));
    await eventually('refusals', () => sockets.filter(({ destroyed }) => destroyed).length >= 44 || undefined);
    assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 44);
    for (const socket of sockets) socket.destroy();
  }
  await eventually('room', () =>
    ask(service.httpPort, { path: '/v1/state' }).then(
      ({ status }) => status === 200,
      () => undefined,
    ),
  );
  await eventually('room', async () => (await stateOf(service.grpcPort, {})) === 0 || undefined);
});

test('what is no gRPC does not disturb the port of gRPC, nor the other way round', async t => {
  const { service, notices } = await serve(t);
  notices(1, 1);
  const good = readGrpc(service.grpcPort);
  const socket = connect(service.grpcPort, '127.0.0.1');
  t.after(() => socket.destroy());
  socket
    .on('error', () => undefined)
    .resume()
    .write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await eventually('the end of the first', () => socket.destroyed || undefined);
  const session = connectHttp2(`http://127.0.0.1:${service.httpPort}`);
  t.after(() => session.destroy());
  await new Promise(resolve => session.once('error', resolve));
  await eventually('still served', () => entriesOf(good).length === 1 || undefined);
});

test('a port that is taken is said, and nothing is left listening', async t => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await new Promise(resolve => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const log = new EventLog(() => new Date());
  const parts = { log, store: new Store(log), skaffolds: noSkaffolds, version: '0.0.1' };
  await assert.rejects(startEventService({ ...parts, grpcPort: 0, httpPort: port }), (error: UserError) => {
    assert.equal(error.code, 'service-port-taken');
    assert.equal(error.message, `The event service cannot listen at port ${port}.`);
    assert.match(error.remedy!, /another port/);
    return true;
  });
});
