import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import tls, { type TLSSocket } from 'node:tls';
import { rawText, type UserError } from '../../../src/core/errors.ts';
import type { Access } from '../../../src/cluster/access.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { connectSocket } from '../../../src/cluster/http/socket.ts';
import { toUserError } from '../../../src/cluster/http/problems.ts';
import { accessTo, authority, base64, caData, directoryFor, recordingServer } from './support.ts';

const soon = () => AbortSignal.timeout(20_000);

async function exchange(
  access: Access,
  path = '/api/v1/pods',
): Promise<{ answer: string; socket: Socket | TLSSocket }> {
  const socket = await connectSocket(access, soon());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${access.server.host}\r\nConnection: close\r\n\r\n`);
  return { answer: await text(socket), socket };
}

/** A real HTTP proxy that knows CONNECT only. */
async function connectProxy(t: TestContext, kind: 'http' | 'https', refuse?: string) {
  const seen: { target: string; login: string | undefined }[] = [];
  const { certificate: cert, key } = authority.server();
  const server = kind === 'http' ? http.createServer() : https.createServer({ cert, key });
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => open.add(socket));
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    seen.push({ target: url, login: headers['proxy-authorization'] });
    client.on('error', () => undefined);
    if (refuse !== undefined) return void client.end(refuse);
    const upstream = net.connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    open.add(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return { seen, url: (login = '') => `${kind}://${login}127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a TLS connection carries the client certificate, and the next one resumes its session', async t => {
  const server = await recordingServer(t);
  const { certificate, key } = authority.client('carol', []);
  const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
  const access = await accessTo(directoryFor(t), server.url, { user });
  for (let i = 0; i < 2; i++) assert.match((await exchange(access)).answer, /PodList/);
  assert.deepEqual(
    server.seen.map(seen => seen.client),
    ['carol', 'carol'],
  );
  assert.equal(server.resumed(), 1);
});

test('a session is not resumed for another login', async t => {
  const server = await recordingServer(t);
  for (const name of ['ann', 'bob']) {
    const { certificate, key } = authority.client(name, []);
    const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    await exchange(await accessTo(directoryFor(t), server.url, { user }));
  }
  assert.deepEqual(
    server.seen.map(seen => seen.client),
    ['ann', 'bob'],
  );
  assert.equal(server.resumed(), 0);
});

test('a plain connection to a plain server', async t => {
  const server = await recordingServer(t, 'http');
  const { answer, socket } = await exchange(await accessTo(directoryFor(t), server.url));
  assert.match(answer, /PodList/);
  assert.ok(!('encrypted' in socket));
});

for (const kind of ['http', 'https'] as const)
  test(`sockets and requests go through an ${kind} proxy`, async t => {
    const server = await recordingServer(t);
    const proxy = await connectProxy(t, kind);
    const known = tls.getCACertificates();
    tls.setDefaultCACertificates([...known, authority.certificate]); // the proxy's certificate has to be trusted by the machine
    t.after(() => tls.setDefaultCACertificates(known));
    const cluster = { 'certificate-authority-data': caData, 'proxy-url': proxy.url('ann:p%40ss@') };
    const access = await accessTo(directoryFor(t), server.url, { cluster, user: { token: 'abc' } });
    assert.match((await exchange(access)).answer, /PodList/);
    assert.match(await text(await kubeApi(access).get('/api/v1/pods', soon())), /PodList/);
    const seen = { target: `127.0.0.1:${server.port}`, login: `Basic ${base64('ann:p@ss')}` };
    assert.deepEqual(proxy.seen, [seen, seen]);
    assert.equal(server.seen.at(-1)?.headers['authorization'], 'Bearer abc');
  });

test('the proxy of the environment is used, but not for loopback', async t => {
  const proxy = await connectProxy(t, 'http');
  const env = { HTTPS_PROXY: proxy.url() };
  const server = await recordingServer(t);
  await exchange(await accessTo(directoryFor(t), server.url, {}, env));
  assert.equal(proxy.seen.length, 0);
  // Port 1 of this machine refuses; the name is never looked up here, the proxy is asked for it.
  const far = await accessTo(directoryFor(t), 'https://api.example:1', {}, env);
  await assert.rejects(connectSocket(far, soon()));
  assert.deepEqual(proxy.seen, [{ target: 'api.example:1', login: undefined }]);
});

const problems: { name: string; answer: string; code: string; cause: RegExp }[] = [
  {
    name: 'asks for a login',
    answer: 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n',
    code: 'proxy-refused',
    cause: /407 Proxy Auth/,
  },
  {
    name: 'forbids the port',
    answer: 'HTTP/1.1 403 Forbidden\r\n\r\nno',
    code: 'proxy-refused',
    cause: /403 Forbidden/,
  },
  { name: 'hangs up', answer: '', code: 'api-unreachable', cause: /hang up/ },
];

for (const { name, answer, code, cause } of problems)
  test(`a person is told of a proxy that ${name}`, async t => {
    const proxy = await connectProxy(t, 'http', answer);
    const cluster = { 'proxy-url': proxy.url('ann:secret@') };
    const access = await accessTo(directoryFor(t), 'https://api.example:6443', { cluster });
    for (const ask of [() => connectSocket(access, soon()), () => kubeApi(access).get('/x', soon())]) {
      const problem: UserError = toUserError(await ask().catch((e: unknown) => e), access);
      const words = `${problem.message} ${rawText(problem.cause)}`;
      assert.equal(problem.code, code, words);
      assert.match(rawText(problem.cause), cause);
      assert.match(words, /proxy http:\/\/127\.0\.0\.1/);
      assert.doesNotMatch(words, /secret/);
    }
  });

test('a SOCKS proxy is refused in words', async t => {
  const cluster = { 'proxy-url': 'socks5://ann:secret@127.0.0.1:1080' };
  await assert.rejects(accessTo(directoryFor(t), 'https://api.example:6443', { cluster }), (error: UserError) => {
    assert.equal(error.code, 'proxy-unusable');
    assert.doesNotMatch(error.message, /secret/);
    return /SOCKS/.test(error.remedy ?? '');
  });
});

test('abort ends a dial that hangs', async t => {
  const server = net.createServer(() => undefined).listen(0, '127.0.0.1'); // accepts and says nothing
  await once(server, 'listening');
  t.after(() => server.close());
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const access = await accessTo(directoryFor(t), `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const control = new AbortController();
  const dial = connectSocket(access, control.signal);
  const [socket] = await connected;
  const reason = new Error('enough');
  control.abort(reason);
  await assert.rejects(dial, error => error === reason);
  socket.resume();
  if (!socket.destroyed) await once(socket, 'close').catch(() => undefined);
});
