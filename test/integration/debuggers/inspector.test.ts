import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { inspectorReady } from '../../../src/debuggers/readiness/inspector.ts';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { container } from '../../support/containers.ts';
import { amply, forwardTo, soon } from '../../support/directForward.ts';
import { freePort, listen } from '../../support/listeners.ts';
import { start } from '../../support/program.ts';

async function program(t: TestContext, name: string, text: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'breakpod-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
  return file;
}

for (const flag of ['--inspect', '--inspect-brk', '--inspect-wait'])
  test(`inspector: a real Node with ${flag} tells its script`, async t => {
    const file = await program(t, 'server.js', 'console.log("running"); setInterval(() => {}, 1000);');
    const node = start(t, process.execPath, [`${flag}=127.0.0.1:0`, file]);
    const [, port] = await node.until(/ws:\/\/127\.0\.0\.1:(\d+)\//);
    const forward = await forwardTo(t, Number(port));
    const ready = await inspectorReady(forward, amply());
    assert.equal(ready.script, file);
    assert.ok(ready.target);
    assert.equal(forward.handedOver.length, 0);
    assert.equal(forward.open, 0, 'the probe leaves no connection');
    if (flag === '--inspect') await node.until(/running/);
    else assert.doesNotMatch(node.output, /running/, 'the probe starts nothing');
    assert.doesNotMatch(node.output, /Debugger attached/);
  });

test('inspector: code without a file has no script', async t => {
  const node = start(t, process.execPath, ['--inspect=127.0.0.1:0', '-e', 'setInterval(() => {}, 1000)']);
  const [, port] = await node.until(/ws:\/\/127\.0\.0\.1:(\d+)\//);
  const ready = await inspectorReady(await forwardTo(t, Number(port)), amply());
  assert.equal(ready.script, undefined);
  assert.match(ready.target!, /node\[\d+\]/);
});

test('inspector: waits while the pod refuses connections', async t => {
  const port = await freePort();
  const forward = await forwardTo(t, port);
  const ready = inspectorReady(forward, amply());
  while (forward.dials < 2) await new Promise(resolve => setTimeout(resolve, 20));
  const file = await program(t, 'late.js', 'setInterval(() => {}, 1000);');
  start(t, process.execPath, [`--inspect=127.0.0.1:${port}`, file]);
  assert.equal((await ready).script, file);
});

test('inspector: says that nothing listens when the time is over', async t => {
  const forward = await forwardTo(t, await freePort());
  await assert.rejects(inspectorReady(forward, soon()), failure('not-listening', /ECONNREFUSED/));
  assert.equal(forward.open, 0);
});

test('inspector: a try that the end of the time cuts short does not hide why those before it failed', async t => {
  const forward = await forwardTo(t, await freePort());
  const silent = await forwardTo(t, await listen(t, () => undefined));
  const { dial } = forward;
  forward.dial = signal => (forward.dials === 0 ? dial.call(forward, signal) : silent.dial(signal));
  await assert.rejects(inspectorReady(forward, soon()), failure('not-listening', /ECONNREFUSED/));
  assert.ok(silent.dials > 0);
});

test('inspector: a package manager that holds the port is named', async t => {
  const file = await program(t, 'node_modules/npm/bin/npm-cli.js', 'setInterval(() => {}, 1000);');
  const node = start(t, process.execPath, ['--inspect=127.0.0.1:0', file]);
  const [, port] = await node.until(/ws:\/\/127\.0\.0\.1:(\d+)\//);
  await assert.rejects(inspectorReady(await forwardTo(t, Number(port)), amply()), (error: UserError) => {
    assert.equal(error.code, 'launcher-owns-port');
    assert.match(error.message, /that of npm/);
    assert.match(error.remedy!, /NODE_OPTIONS/);
    return true;
  });
});

test('inspector: the program beside a launcher is taken', async t => {
  const targets = [
    { type: 'node', url: 'file:///usr/lib/node_modules/npm/bin/npm-cli.js', title: 'npm' },
    { type: 'node', url: 'file:///app/a%20b.js', title: 'app' },
  ];
  const port = await serve(t, 200, JSON.stringify(targets));
  assert.deepEqual(await inspectorReady(await forwardTo(t, port), amply()), { script: '/app/a b.js', target: 'app' });
});

test('inspector: a launcher that hands the port to the program is waited for, and that is told', async t => {
  const port = await freePort();
  const flag = `--inspect=127.0.0.1:${port}`;
  const launcher = start(t, process.execPath, [
    flag,
    await program(t, 'node_modules/npm/bin/npm-cli.js', 'setInterval(() => {}, 1000);'),
  ]);
  await launcher.until(/ws:\/\//);
  const forward = await forwardTo(t, port);
  const waited: string[] = [];
  const toldOf = Promise.withResolvers<void>();
  const onWait = ({ code }: UserError) => {
    waited.push(code);
    toldOf.resolve();
  };
  const ready = inspectorReady(forward, { ...amply(), onWait });
  await toldOf.promise;
  launcher.process.kill('SIGKILL');
  await new Promise(resolve => launcher.process.once('exit', resolve));
  const file = await program(t, 'server.js', 'setInterval(() => {}, 1000);');
  start(t, process.execPath, [flag, file]);
  assert.equal((await ready).script, file);
  assert.equal(waited[0], 'launcher-owns-port');
});

test('inspector: a program that a watcher starts anew is waited for; what it waits for is told once', async t => {
  const port = await freePort();
  const forward = await forwardTo(t, port);
  const waited: string[] = [];
  const ready = inspectorReady(forward, { ...amply(), onWait: ({ code }) => waited.push(code) });
  while (forward.dials < 3) await new Promise(resolve => setTimeout(resolve, 20));
  const file = await program(t, 'server.js', 'setInterval(() => {}, 1000);');
  start(t, process.execPath, [`--inspect=127.0.0.1:${port}`, file]);
  await ready;
  assert.deepEqual(waited, ['not-listening']);
});

test('inspector: the host in its list is not taken for the way to it (H58)', async t => {
  const targets = [{ type: 'node', url: 'file:///app/a.js', webSocketDebuggerUrl: 'ws://0.0.0.0:9229/0-1' }];
  const forward = await forwardTo(t, await serve(t, 200, JSON.stringify(targets)));
  const ready = await inspectorReady(forward, amply());
  const at = { host: '127.0.0.1', port: forward.localPort };
  const configuration = configurationOf(recipeTable.nodejs, container(), at, { sources: [] });
  assert.doesNotMatch(JSON.stringify([ready, configuration]), /0\.0\.0\.0|9229/);
  assert.deepEqual([configuration['address'], configuration['port']], ['127.0.0.1', forward.localPort]);
});

const strangers: { name: string; status: number; body: string; cause: RegExp }[] = [
  { name: 'an HTTP server that knows no such page', status: 404, body: 'nope', cause: /HTTP 404/ },
  { name: 'a page', status: 200, body: '<html>hello</html>', cause: /<html>hello/ },
  { name: 'other JSON', status: 200, body: '{"a":1}', cause: /\{"a":1\}/ },
];
for (const { name, status, body, cause } of strangers)
  test(`inspector: ${name} is no inspector`, async t => {
    const forward = await forwardTo(t, await serve(t, status, body));
    await assert.rejects(inspectorReady(forward, amply()), failure('wrong-protocol', cause));
    assert.equal(forward.open, 0);
  });

test('inspector: what speaks no HTTP is no inspector', async t => {
  const port = await listen(t, client => client.end('SSH-2.0-OpenSSH\r\n'));
  await assert.rejects(inspectorReady(await forwardTo(t, port), amply()), failure('wrong-protocol', /SSH-2\.0/));
});

test('inspector: a port that closes each connection is told after a few tries', async t => {
  const forward = await forwardTo(t, await listen(t, client => client.destroy()));
  await assert.rejects(inspectorReady(forward, amply()), failure('listener-closed', /./));
  assert.equal(forward.dials, 3);
});

test('inspector: a silent port is told', async t => {
  const forward = await forwardTo(t, await listen(t, () => undefined));
  await assert.rejects(inspectorReady(forward, soon()), failure('listener-silent', /./));
  assert.equal(forward.open, 0);
});

test('inspector: a cancel is passed on as it is', async t => {
  const forward = await forwardTo(t, await freePort());
  const control = new AbortController();
  const ready = inspectorReady(forward, { signal: control.signal });
  control.abort(new UserError('attach-cancelled', 'The attach was cancelled.'));
  await assert.rejects(ready, failure('attach-cancelled', undefined));
});

test('inspector: a UserError of the forward is final', async t => {
  const forward = await forwardTo(t, await freePort());
  forward.dial = () => Promise.reject(new UserError('pod-gone', 'The pod is gone.'));
  await assert.rejects(inspectorReady(forward, amply()), failure('pod-gone', undefined));
});

const failure = (code: string, cause: RegExp | undefined) => (error: unknown) => {
  assert.ok(error instanceof UserError, String(error));
  assert.equal(error.code, code);
  if (cause) {
    assert.match(error.cause instanceof Error ? error.cause.message : String(error.cause), cause);
    assert.ok(error.remedy);
  }
  return true;
};

async function serve(t: TestContext, status: number, body: string): Promise<number> {
  const server = http.createServer((request, response) => {
    assert.match(request.headers.host!, /^127\.0\.0\.1/);
    assert.equal(request.url, '/json/list');
    response.writeHead(status).end(body);
  });
  t.after(() => server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
