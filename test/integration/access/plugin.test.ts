import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { rawText, type UserError } from '../../../src/core/errors.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { accessTo, directoryFor, json, recordingServer, statusBody } from './support.ts';

const V1 = 'client.authentication.k8s.io/v1';

/** Real processes: a script of a few lines under the Node that runs the tests. */
const plugin = (script: string, rest: Record<string, unknown> = {}) => ({
  user: {
    exec: { apiVersion: V1, interactiveMode: 'Never', command: process.execPath, args: ['-e', script], ...rest },
  },
});

const answer = (status: string) =>
  `console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${V1}', status: ${status} }));`;

/** Counts its runs in a file of the directory, and gives the count as the token. */
const counting = (directory: string, expires = 'undefined') => {
  const runs = JSON.stringify(path.join(directory, 'runs'));
  return `const fs = require('node:fs'); fs.appendFileSync(${runs}, 'x');
    const expirationTimestamp = ${expires};
    ${answer(`{ token: String(fs.readFileSync(${runs}).length), expirationTimestamp }`)}`;
};

const runsIn = (directory: string) => readFileSync(path.join(directory, 'runs')).length;
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('no error'),
    (e: UserError) => e,
  );
const bearer = (token: number) => ({ Authorization: `Bearer ${token}` });

async function eventually(t: TestContext, condition: () => boolean): Promise<void> {
  const limit = AbortSignal.any([t.signal, AbortSignal.timeout(20_000)]);
  while (!condition()) await delay(20, undefined, { signal: limit });
}

test('many who ask at once wait for one process, and later ones for none', async t => {
  const directory = directoryFor(t);
  const access = await accessTo(directory, 'https://127.0.0.1:1', plugin(counting(directory)));
  const all = await Promise.all([1, 2, 3, 4].map(() => access.credentials()));
  all.push(await access.credentials());
  assert.equal(new Set(all).size, 1);
  assert.deepEqual(all[0]!.headers, bearer(1));
});

test('a credential is used until ten seconds before it expires', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const directory = directoryFor(t);
  const expires = JSON.stringify(new Date(Date.now() + 60_000).toISOString());
  const access = await accessTo(directory, 'https://127.0.0.1:1', plugin(counting(directory, expires)));
  for (const [passed, token] of [
    [0, 1],
    [49_000, 1],
    [2_000, 2],
  ] as const) {
    t.mock.timers.tick(passed);
    assert.deepEqual((await access.credentials()).headers, bearer(token), `${passed} ms later`);
  }
});

test('a refused token is renewed once for a request', async t => {
  const directory = directoryFor(t);
  const server = await recordingServer(t);
  server.answer = ({ headers }, response) =>
    headers.authorization === 'Bearer 2'
      ? json(response, { kind: 'PodList', items: [] })
      : json(response, statusBody(401, 'Unauthorized', 'Unauthorized'), 401);
  const access = await accessTo(directory, server.url, plugin(counting(directory)));
  const get = () => kubeApi(access).get('/api/v1/pods', AbortSignal.timeout(20_000));
  (await get()).resume();
  assert.equal(runsIn(directory), 2);

  server.answer = (_, response) => json(response, statusBody(401, 'Unauthorized', 'token expired'), 401);
  await assert.rejects(get(), {
    name: 'ApiError',
    status: 401,
    message: 'token expired',
    reason: 'Unauthorized',
    isSameLogin: false,
  });
  assert.equal(runsIn(directory), 3);
});

test('input is closed: a plugin that reads it goes on', async t => {
  const script = `process.stdin.on('end', () => { ${answer("{ token: '1' }")} }).resume();`;
  const access = await accessTo(directoryFor(t), 'https://127.0.0.1:1', plugin(script));
  assert.deepEqual((await access.credentials()).headers, bearer(1));
});

test('what is still in the pipe when the process ends is read', async t => {
  const directory = directoryFor(t);
  const [ready, go] = ['ready', 'go'].map(name => path.join(directory, name)) as [string, string];
  const script = `const fs = require('node:fs'); fs.writeFileSync(${JSON.stringify(ready)}, '');
    while (!fs.existsSync(${JSON.stringify(go)})); ${answer("{ token: 'x'.repeat(150_000) }")}`;
  const credentials = (await accessTo(directory, 'https://127.0.0.1:1', plugin(script))).credentials();
  await eventually(t, () => existsSync(ready));
  writeFileSync(go, '');
  // This process stands still while the plugin writes all and ends: the end is then seen before the last bytes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  assert.equal((await credentials).headers['Authorization']?.length, 150_007);
});

test('a process that the plugin leaves behind with its output open is not waited for', async t => {
  const directory = directoryFor(t);
  const left = `setTimeout(() => {}, 60000); require('node:fs').writeFileSync(process.argv[1], String(process.pid));`;
  const pidFile = path.join(directory, 'pid');
  const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(left)},
    ${JSON.stringify(pidFile)}], { stdio: 'inherit', detached: true }).unref(); ${answer("{ token: '1' }")}`;
  const access = await accessTo(directory, 'https://127.0.0.1:1', plugin(script));
  assert.deepEqual((await access.credentials()).headers, bearer(1));
  await eventually(t, () => existsSync(pidFile) && readFileSync(pidFile).length > 0);
  process.kill(Number(readFileSync(pidFile, 'utf8')));
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the process and its children end when nobody waits any more', { skip: process.platform === 'win32' }, async t => {
  const directory = directoryFor(t);
  const pids = path.join(directory, 'pids');
  const child = `require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + ' '); setInterval(() => {}, 1000);`;
  const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}],
    { stdio: 'inherit' }); ${child}`;
  const access = await accessTo(directory, 'https://127.0.0.1:1', plugin(script));
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [one, two].map(({ signal }) => problemOf(access.credentials(signal)));
  const running = () => (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split(' ').map(Number) : []);
  await eventually(t, () => running().length === 2);
  one.abort(new Error('one left'));
  assert.equal((await waiting[0])!.message, 'one left');
  assert.deepEqual(running().map(isAlive), [true, true]);
  two.abort(new Error('two left'));
  assert.equal((await waiting[1])!.message, 'two left');
  await eventually(t, () => !running().some(isAlive));
});

test('a plugin that does not end is ended after a minute', async t => {
  const directory = directoryFor(t);
  const pidFile = path.join(directory, 'pid');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`;
  const access = await accessTo(directory, 'https://127.0.0.1:1', plugin(script));
  t.mock.timers.enable({ apis: ['setTimeout'] }); // nobody wants to wait for a minute
  const problem = problemOf(access.credentials());
  const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile)) : 0);
  while (!pid()) await immediate();
  t.mock.timers.tick(60_000);
  assert.match((await problem).message, /did not end within a minute/);
  while (isAlive(pid())) await immediate();
});

const failing: { name: string; config: ReturnType<typeof plugin>; code: string; says: RegExp }[] = [
  {
    name: 'fails',
    config: plugin(`console.error('\\x1b[31mToken expired,\\nrun: acme login'); process.exit(3);`, {
      installHint: 'Hint.',
    }),
    code: 'plugin-failed',
    says: /exit code 3.*\n.*Token expired, ⏎ run: acme login\n.*Hint\./,
  },
  {
    name: 'is not installed',
    config: plugin('', { command: 'no-such-plugin-anywhere', installHint: 'Get it at example.com' }),
    code: 'plugin-missing',
    says: /no-such-plugin-anywhere.*\n.*ENOENT.*\nGet it at example\.com/,
  },
  {
    name: 'always asks',
    config: plugin('', { interactiveMode: 'Always' }),
    code: 'plugin-interactive',
    says: /Log in in a terminal/,
  },
  {
    name: 'answers in prose',
    config: plugin(`console.log('secret-token'); console.error('what it says');`),
    code: 'plugin-failed',
    says: /JSON.*\n.*what it says/,
  },
  { name: 'gives nothing', config: plugin(answer('{}')), code: 'plugin-failed', says: /neither a token nor/ },
  {
    name: 'gives half a certificate',
    config: plugin(answer("{ clientCertificateData: 'x' }")),
    code: 'plugin-failed',
    says: /neither a token nor/,
  },
  {
    name: 'answers in another version',
    config: plugin(answer("{ token: 'x' }").replace('/v1', '/v1beta1')),
    code: 'plugin-failed',
    says: /should answer as .*\/v1\.\n.*v1beta1/,
  },
  {
    name: 'is of a version that no one speaks',
    config: plugin('', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }),
    code: 'plugin-failed',
    says: /v1alpha1/,
  },
  { name: 'has no command', config: plugin('', { command: null }), code: 'plugin-failed', says: /no command/ },
];

for (const { name, config, code, says } of failing)
  test(`a person is told of a plugin that ${name}`, async t => {
    const access = await accessTo(directoryFor(t), 'https://127.0.0.1:1', config);
    const problem = await problemOf(access.credentials());
    const words = [problem.message, rawText(problem.cause), problem.remedy].join('\n');
    assert.equal(problem.code, code, words);
    assert.match(words, says);
    assert.doesNotMatch(words, /secret|\x1b/);
  });
