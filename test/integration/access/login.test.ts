import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { rawText, type UserError } from '../../../src/core/errors.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { toUserError } from '../../../src/cluster/http/problems.ts';
import type { Access } from '../../../src/cluster/access.ts';
import { accessTo, authority, base64, caData, type Config, directoryFor, recordingServer } from './support.ts';

const MINUTE_MS = 60_000;

async function ask(access: Access): Promise<void> {
  const response = await kubeApi(access).get('/api/v1/pods', AbortSignal.timeout(20_000));
  response.resume();
}

/** The clock alone is mocked, since nobody wants to wait for a minute; the files and connections are real. */
const mockClock = (t: TestContext) => t.mock.timers.enable({ apis: ['Date'], now: Date.now() });

for (const [name, cluster] of Object.entries({
  'its own CA': undefined,
  'insecure-skip-tls-verify': { 'insecure-skip-tls-verify': true },
}))
  test(`a context without a user is let in by ${name}`, async t => {
    const server = await recordingServer(t);
    await ask(await accessTo(directoryFor(t), server.url, cluster ? { cluster } : {}));
    assert.deepEqual(server.seen[0]?.headers['authorization'], undefined);
  });

test('a token file is read again after a minute, and at once when the server refuses', async t => {
  mockClock(t);
  const server = await recordingServer(t);
  const directory = directoryFor(t);
  const tokenFile = path.join(directory, 'token');
  const last = () => server.seen.at(-1)?.headers['authorization'];
  writeFileSync(tokenFile, 'one\n');
  const access = await accessTo(directory, server.url, { user: { tokenFile: 'token' } });
  await ask(access);
  const first = await access.credentials();
  assert.equal(last(), 'Bearer one');

  writeFileSync(tokenFile, 'two');
  await ask(access);
  assert.equal(last(), 'Bearer one');
  t.mock.timers.tick(MINUTE_MS);
  await ask(access);
  assert.equal(last(), 'Bearer two');
  const second = await access.credentials();
  assert.notEqual(second, first);
  assert.equal(second.tls, first.tls, 'unchanged TLS options are the same object');

  writeFileSync(tokenFile, 'three');
  access.forget(first);
  assert.equal(await access.credentials(), second, 'what is not current cannot be forgotten');
  access.forget(second);
  await ask(access);
  assert.equal(last(), 'Bearer three');

  rmSync(tokenFile);
  t.mock.timers.tick(MINUTE_MS);
  await ask(access);
  assert.equal(last(), 'Bearer three', 'a file that is gone for a moment takes nothing away');
});

test('certificates in the kubeconfig win over files that it names too', async t => {
  const server = await recordingServer(t);
  const { certificate, key } = authority.client('carol', []);
  const cluster = { 'certificate-authority-data': caData, 'certificate-authority': 'gone.pem' };
  const data = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
  const user = { ...data, 'client-certificate': 'gone.pem', 'client-key': 'gone.key' };
  await ask(await accessTo(directoryFor(t), server.url, { cluster, user }));
  assert.equal(server.seen[0]?.client, 'carol');
});

test('tls-server-name names the certificate that is expected', async t => {
  const server = await recordingServer(t);
  const ca = { 'certificate-authority-data': base64(authority.certificate) };
  await ask(await accessTo(directoryFor(t), server.url, { cluster: { ...ca, 'tls-server-name': 'localhost' } }));
  const other = await accessTo(directoryFor(t), server.url, { cluster: { ...ca, 'tls-server-name': 'other.example' } });
  const problem = toUserError(await ask(other).catch((e: unknown) => e), other);
  assert.equal(problem.code, 'certificate-untrusted');
  assert.match(rawText(problem.cause), /other\.example.*ERR_TLS_CERT_ALTNAME_INVALID/);
});

const broken: { name: string; config: Config; code: string; cause: RegExp }[] = [
  {
    name: 'a certificate file that is missing',
    config: { user: { 'client-certificate': 'gone.pem', 'client-key': 'gone.key' } },
    code: 'login-unreadable',
    cause: /ENOENT.*gone\.pem/,
  },
  {
    name: 'a token file that is missing',
    config: { user: { tokenFile: 'gone' } },
    code: 'login-unreadable',
    cause: /gone/,
  },
  {
    name: 'a certificate that is none',
    config: { user: { 'client-certificate-data': base64('x'), 'client-key-data': base64('y') } },
    code: 'login-unreadable',
    cause: /PEM/i,
  },
  {
    name: 'a server whose CA is not known',
    config: { cluster: {} },
    code: 'certificate-untrusted',
    cause: /certificate/,
  },
];

for (const { name, config, code, cause } of broken)
  test(`a person is told of ${name}`, async t => {
    const server = await recordingServer(t);
    const access = await accessTo(directoryFor(t), server.url, config);
    const problem: UserError = toUserError(await ask(access).catch((e: unknown) => e), access);
    assert.equal(problem.code, code);
    assert.match(rawText(problem.cause), cause);
    assert.ok(problem.remedy);
    assert.equal(server.seen.length, 0);
  });
