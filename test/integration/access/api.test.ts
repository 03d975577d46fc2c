import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../../src/cluster/access.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { toUserError } from '../../../src/cluster/http/problems.ts';
import { DeadlineError } from '../../../src/lib/deadline.ts';
import { accessTo, directoryFor, json, recordingServer, statusBody } from './support.ts';

const soon = () => AbortSignal.timeout(20_000);
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('no error'),
    (e: unknown) => e,
  );

async function listening(t: TestContext, onConnection: (socket: net.Socket) => void): Promise<number> {
  const open = new Set<net.Socket>();
  const server = net.createServer(socket => {
    open.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

test('a body arrives, and the next request goes over the same connection', async t => {
  const server = await recordingServer(t);
  const api = kubeApi(await accessTo(directoryFor(t), server.url, { user: { token: 'abc' } }));
  for (const path of ['/api/v1/pods?limit=500', '/api/v1/namespaces/a/pods'])
    assert.match(await text(await api.get(path, soon())), /PodList/);
  assert.deepEqual(
    server.seen.map(seen => seen.url),
    ['/api/v1/pods?limit=500', '/api/v1/namespaces/a/pods'],
  );
  assert.equal(new Set(server.seen.map(seen => seen.from)).size, 1);
});

test('a kept connection that the server closes as it is used costs no error', async t => {
  let requests = 0;
  const body = '{"kind":"PodList"}';
  const port = await listening(t, socket => {
    let used = 0;
    socket.on('data', () => {
      requests++;
      if (++used === 2) return socket.resetAndDestroy();
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
  });
  const api = kubeApi(await accessTo(directoryFor(t), `http://127.0.0.1:${port}`));
  for (let i = 0; i < 2; i++) assert.equal(await text(await api.get('/x', soon())), body);
  assert.equal(requests, 3);
});

test('abort ends a request at each of its stages with its reason', async t => {
  const server = await recordingServer(t);
  const control = new AbortController();
  const reason = new Error('enough');
  server.answer = () => control.abort(reason);
  const api = kubeApi(await accessTo(directoryFor(t), server.url));
  assert.equal(await errorOf(api.get('/api/v1/pods', control.signal)), reason);
  assert.equal(await errorOf(api.get('/api/v1/pods', control.signal)), reason);
  assert.equal(server.seen.length, 1, 'an aborted signal asks nothing');
});

test('abort ends a body that goes on', async t => {
  const server = await recordingServer(t);
  server.answer = (_, response) => response.writeHead(200).write('first\n');
  const control = new AbortController();
  const api = kubeApi(await accessTo(directoryFor(t), server.url));
  const response = await api.get('/api/v1/pods?watch=1', control.signal);
  await once(response, 'data');
  control.abort(new Error('enough'));
  await once(response, 'close').catch(() => undefined);
  assert.ok(response.destroyed);
});

const page = '<html><head><title>x</title><style>b{}</style></head><body><h1>Sign in</h1> first</body></html>';
const answers: {
  name: string;
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  error: Record<string, unknown>;
  code: string;
  says: RegExp;
}[] = [
  {
    name: '403 with the missing right',
    status: 403,
    body: statusBody(
      403,
      'Forbidden',
      'pods is forbidden: User "u" cannot list resource "pods" in API group "" in the namespace "shop"',
    ),
    error: { reason: 'Forbidden' },
    code: 'forbidden',
    says: /may not list pods in the namespace "shop".*verb "list" on "pods"/s,
  },
  {
    name: '403 in all namespaces',
    status: 403,
    body: statusBody(
      403,
      'Forbidden',
      'pods is forbidden: User "u" cannot watch resource "pods" in API group "" at the cluster scope',
    ),
    error: { reason: 'Forbidden' },
    code: 'forbidden',
    says: /may not watch pods in the whole cluster.*choose a namespace/s,
  },
  {
    name: '401 with a token that cannot be renewed',
    status: 401,
    body: statusBody(401, 'Unauthorized', 'Unauthorized'),
    error: { message: 'Unauthorized', isSameLogin: true },
    code: 'login-refused',
    says: /refuses the login of "test"/,
  },
  {
    name: '429 with a time',
    status: 429,
    body: 'too many requests',
    headers: { 'Retry-After': '7' },
    error: { message: '"too many requests"', retryAfterMs: 7000 },
    code: 'api-refused',
    says: /HTTP 429/,
  },
  {
    name: '502 with a page',
    status: 502,
    body: page,
    error: { message: 'Sign in first' },
    code: 'api-refused',
    says: /HTTP 502/,
  },
  {
    name: '302 without words',
    status: 302,
    body: '',
    error: { message: 'Found' },
    code: 'api-refused',
    says: /HTTP 302/,
  },
  {
    name: '500 with a flood',
    status: 500,
    body: 'x'.repeat(5_000_000),
    error: { message: `${'x'.repeat(1000)}…` },
    code: 'api-refused',
    says: /HTTP 500/,
  },
];

for (const { name, status, body, headers = {}, error, code, says } of answers)
  test(`an answer in the server's own words: ${name}`, async t => {
    const server = await recordingServer(t);
    server.answer = (_, response) =>
      typeof body === 'string' && status !== 429
        ? response.writeHead(status, headers).end(body)
        : json(response, body, status, headers);
    const access = await accessTo(directoryFor(t), server.url, { user: { token: 'abc' } });
    const thrown = await errorOf(kubeApi(access).get('/api/v1/pods', soon()));
    assert.ok(thrown instanceof ApiError);
    await assert.rejects(Promise.reject(thrown), { name: 'ApiError', status, ...error });
    const problem = toUserError(thrown, access);
    assert.equal(problem.code, code);
    assert.match(`${problem.message} ${problem.remedy}`, says);
    assert.equal(server.seen.length, 1, 'the same token is not tried twice');
  });

test('an answer that does not end is cut off', async t => {
  const server = await recordingServer(t);
  const sent = Promise.withResolvers<number>();
  server.answer = (request, response) => {
    const { socket } = request;
    response.writeHead(500);
    const more = () => {
      while (response.write(Buffer.alloc(65_536, 'x')));
    };
    response.on('drain', more).on('close', () => sent.resolve(socket.bytesWritten));
    more();
  };
  const api = kubeApi(await accessTo(directoryFor(t), server.url));
  await assert.rejects(api.get('/api/v1/pods', soon()), { status: 500, message: `${'x'.repeat(1000)}…` });
  assert.ok((await sent.promise) < 20_000_000);
});

test('what is not there or speaks something else is told apart', async t => {
  const silentEnd = await listening(t, socket => socket.end());
  const plain = await recordingServer(t, 'http');
  const secure = await recordingServer(t);
  const chatter = await listening(t, socket => socket.end('SSH-2.0-x\r\n'));
  const cases = [
    ['https://127.0.0.1:1', 'api-unreachable', /ECONNREFUSED/],
    ['https://no-such-host.invalid', 'api-unreachable', /no-such-host/],
    [`http://127.0.0.1:${silentEnd}`, 'api-unreachable', /hang up/],
    [`https://127.0.0.1:${plain.port}`, 'tls-failed', /wrong version|packet length|SSL/i],
    [`http://127.0.0.1:${chatter}`, 'tls-failed', /Parse Error/],
    [`http://127.0.0.1:${secure.port}`, 'api-unreachable', /hang up|ECONNRESET/],
  ] as const;
  for (const [url, code, cause] of cases) {
    const access = await accessTo(directoryFor(t), url);
    const problem = toUserError(await errorOf(kubeApi(access).get('/x', soon())), access);
    assert.equal(problem.code, code, url);
    assert.match(String(problem.cause), cause, url);
  }
});

/** The port of a server that takes no connection, and whose queue of them is full: what is sent to it gets no answer. */
async function deafPort(t: TestContext): Promise<number> {
  const program = `
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const worker = new Worker(program, { eval: true });
  t.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const queue = Array.from({ length: 8 }, () => net.connect(port, '127.0.0.1').on('error', () => undefined));
  t.after(() => queue.forEach(socket => socket.destroy()));
  await once(queue[0]!, 'connect');
  return port;
}

test('a server that takes no TCP connection, by its address or its name, is given up before the system asks it a fourth time', async t => {
  const port = await deafPort(t);
  const limitOf = async (host: string) => {
    const api = kubeApi(await accessTo(directoryFor(t), `http://${host}:${port}`));
    const error = await errorOf(api.get('/x', soon()));
    assert.ok(error instanceof DeadlineError, String(error));
    return error.limitMs;
  };
  const limits = await Promise.all(['127.0.0.1', 'localhost'].map(limitOf));
  assert.ok(Math.max(...limits) < 7_000, String(limits));
});

test('a connection that breaks inside a body says how', async t => {
  const port = await listening(t, socket => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', () => socket.resetAndDestroy());
    });
  });
  const api = kubeApi(await accessTo(directoryFor(t), `http://127.0.0.1:${port}`));
  assert.match(String(await errorOf(text(await api.get('/x', soon())))), /read ECONNRESET/);
});
