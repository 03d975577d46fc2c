import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { suite, type TestContext } from 'node:test';
import { debugpyReady } from '../../../src/debuggers/readiness/debugpy.ts';
import { framed, readMessage } from '../../../src/debuggers/readiness/dapMessages.ts';
import { DapSocket } from '../../support/dapSocket.ts';
import { skipWithoutDebugpy, startDebugpy } from '../../support/debugpy.ts';
import { amply, type DirectForward, forwardTo, soon } from '../../support/directForward.ts';
import { failure } from '../../support/failure.ts';
import { freePort, listen } from '../../support/listeners.ts';

const INIT = { adapterID: 'debugpy', clientID: 'vscode', linesStartAt1: true, pathFormat: 'path' };

/** As the extension of Microsoft does: `connect`, breakpoints, `configurationDone`. */
async function attach(t: TestContext, forward: DirectForward, file: string, lines: readonly number[]) {
  const dap = await DapSocket.to(t, forward.localPort);
  const { supportsConfigurationDoneRequest } = await dap.request('initialize', INIT);
  assert.equal(supportsConfigurationDoneRequest, true);
  const attached = dap.send('attach', { connect: { host: '127.0.0.1', port: forward.localPort } });
  await dap.event('initialized');
  await dap.request('setBreakpoints', { source: { path: file }, breakpoints: lines.map(line => ({ line })) });
  await dap.request('configurationDone');
  await dap.answer(attached);
  return dap;
}

/** Stops in line 3, looks, and lets it go on. */
async function hit(dap: DapSocket): Promise<void> {
  const { body } = await dap.event('stopped');
  const { threadId } = body as { threadId: number };
  const { stackFrames } = (await dap.request('stackTrace', { threadId })) as {
    stackFrames: { id: number; line: number }[];
  };
  assert.equal(stackFrames[0]?.line, 3);
  const { result } = await dap.request('evaluate', { expression: 'n * 0 + 42', frameId: stackFrames[0].id });
  assert.equal(result, '42');
  await dap.request('continue', { threadId });
}

async function detach(dap: DapSocket): Promise<void> {
  await dap.request('disconnect', { terminateDebuggee: false });
  dap.close();
}

async function app(t: TestContext): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'breakpod-')));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'app.py');
  const text = ['import time', 'def turn(n):', '    return n + 1', 'n = 0', 'while True:', '    n = turn(n)'];
  await writeFile(file, [...text, '    print("turn", n)', '    time.sleep(0.1)', ''].join('\n'));
  return file;
}

suite('a real debugpy', { skip: skipWithoutDebugpy }, () => {
  test('the session goes on over the connection of the probe, from the first moment of the listener on (H47)', async t => {
    const file = await app(t);
    const { port, program } = await startDebugpy(t, file);
    const forward = await forwardTo(t, port);
    await debugpyReady(forward, amply()); // while it starts
    const before = forward.dials;
    const dap = await attach(t, forward, file, [3]);
    await hit(dap);
    await detach(dap);
    assert.equal(forward.dials, before, 'the debugger has no connection of its own');
    const turns = program.output.length;
    await program.until(new RegExp(`^[\\s\\S]{${turns + 20}}`));
  });

  test('attach, detach, attach, three times (H48)', async t => {
    const file = await app(t);
    const { port, program } = await startDebugpy(t, file);
    const forward = await forwardTo(t, port);
    for (let round = 0; round < 3; round++) {
      await debugpyReady(forward, amply());
      const dap = await attach(t, forward, file, [3]);
      await hit(dap);
      await detach(dap);
    }
    assert.equal(program.process.exitCode, null);
  });

  test('a program that waits is not started by the probe, and stops in its first turn', async t => {
    const file = await app(t);
    const { port, program } = await startDebugpy(t, file, ['--wait-for-client']);
    const forward = await forwardTo(t, port);
    await debugpyReady(forward, amply(true));
    assert.ok(forward.handedOver[0]!.options.keepMs > 24 * 3600_000, 'for as long as it takes');
    await new Promise(resolve => setTimeout(resolve, 500));
    assert.equal(program.output.includes('turn'), false);
    const dap = await attach(t, forward, file, [3]);
    await dap.event('stopped');
    assert.equal(program.output.includes('turn'), false, 'it is in its first line');
    await detach(dap);
    await program.until(/turn 1/);
  });
});

/** A debug adapter that says what a test wants. */
const adapter = (t: TestContext, answer: (command: unknown) => object | undefined, at = 0) =>
  listen(
    t,
    client => {
      client.write(
        framed({ seq: 1, type: 'event', event: 'output', body: { output: 'ptvsd', data: { packageVersion: '4.3' } } }),
      );
      void (async () => {
        for (;;) {
          const { command, seq } = await readMessage(client, amply().signal);
          const said = answer(command);
          if (said) client.write(framed({ seq: 2, type: 'response', command, request_seq: seq, ...said }));
        }
      })().catch(() => undefined);
    },
    at,
  );

test('debugpy: events and answer reach the debugger once, under its own number; the adapter hears one initialize', async t => {
  const heard: unknown[] = [];
  const port = await adapter(t, command => {
    heard.push(command);
    return { success: true, body: { supportsX: true } };
  });
  const forward = await forwardTo(t, port);
  assert.deepEqual(await debugpyReady(forward, amply()), { target: 'debugpy 4.3' });
  assert.equal(forward.handedOver[0]!.options.keepMs, 60_000);
  const dap = await DapSocket.to(t, forward.localPort);
  assert.deepEqual(await dap.request('initialize', INIT), { supportsX: true });
  await dap.event('output');
  await dap.request('threads');
  assert.deepEqual(heard, ['initialize', 'threads']);
});

test('debugpy: waits while the pod refuses connections', async t => {
  const port = await freePort();
  const forward = await forwardTo(t, port);
  const ready = debugpyReady(forward, amply());
  while (forward.dials < 2) await new Promise(resolve => setTimeout(resolve, 20));
  assert.equal(forward.handedOver.length, 0);
  await adapter(t, () => ({ success: true }), port);
  await ready;
  assert.equal(forward.handedOver.length, 1);
});

test('debugpy: a local client that is no debugger gets nothing', async t => {
  const forward = await forwardTo(t, await adapter(t, () => ({ success: true })));
  await debugpyReady(forward, amply());
  const problem = new Promise<Error>(resolve => forward.onProblem(resolve));
  const dap = await DapSocket.to(t, forward.localPort);
  dap.send('threads');
  assert.match((await problem).message, /no debugger/);
});

test('debugpy: an adapter that says no is told with its words', async t => {
  const forward = await forwardTo(
    t,
    await adapter(t, () => ({ success: false, message: 'Session is already initialized' })),
  );
  await assert.rejects(debugpyReady(forward, amply()), failure('initialize-refused', /already initialized/));
  assert.equal(forward.open, 0);
});

test('debugpy: an adapter whose program was killed takes a connection and answers nothing: that is told (H48)', async t => {
  const forward = await forwardTo(t, await adapter(t, () => undefined));
  await assert.rejects(debugpyReady(forward, soon()), failure('listener-silent', /./, /restart the container/));
  assert.equal(forward.open, 0);
});

for (const [name, words] of Object.entries({
  'another protocol': 'SSH-2.0-x\r\n',
  'a header that never ends': `Content-Length: 1${'0'.repeat(5000)}`,
  'a length that is none': 'Content-Length: x\r\n\r\n',
  'no JSON': 'Content-Length: 2\r\n\r\n{x',
}))
  test(`debugpy: ${name} is told`, async t => {
    const forward = await forwardTo(t, await listen(t, client => client.write(words)));
    await assert.rejects(debugpyReady(forward, amply()), failure('wrong-protocol', /./));
    assert.equal(forward.open, 0);
  });
