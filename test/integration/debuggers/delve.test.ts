import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { DirectForward, forwardTo } from '../../support/directForward.ts';
import { failure } from '../../support/failure.ts';
import { freePort, listen } from '../../support/listeners.ts';

// What a dlv with --accept-multiclient says; the real one is in test/real/debuggers.

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [{ readonly name?: string; readonly Id?: number }];
}

/** Serves until the test ends; `answer` gives a result or an error, or nothing for a call that is not answered. */
async function forwardToDlv(t: TestContext, answer: (request: Request) => unknown): Promise<DirectForward> {
  const port = await listen(t, client =>
    client.on('data', chunk => {
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        const request = JSON.parse(line) as Request;
        const result = answer(request);
        const reply = result instanceof Error ? { result: null, error: result.message } : { result, error: null };
        if (result) client.write(`${JSON.stringify({ id: request.id, ...reply })}\n`);
      }
    }),
  );
  return forwardTo(t, port);
}

const release = (forward: DirectForward, signal = AbortSignal.timeout(30_000)) =>
  recipeTable.go.release!(forward, signal);

test('go: after a session its breakpoints go, those of others stay, and the program runs', async t => {
  const called: string[] = [];
  let looks = 0;
  const forward = await forwardToDlv(t, ({ method, params: [{ name, Id }] }) => {
    called.push([method.replace('RPCServer.', ''), name ?? Id].filter(Boolean).join(' '));
    if (name === 'continue') return undefined; // answered at the next stop
    if (method.endsWith('State')) return { State: { Running: ++looks > 2 } };
    const names = ['unrecovered-panic', 'sourceBp Path="/a.go" Line=1', '', 'functionBreakpoint Name=f', 'mine'];
    return { Breakpoints: names.map((each, id) => ({ id, name: each })) };
  });
  await release(forward);
  assert.deepEqual(called.slice(0, 5), [
    'Command halt',
    'ListBreakpoints',
    'ClearBreakpoint 1',
    'ClearBreakpoint 3',
    'Command continue',
  ]);
  assert.deepEqual(called.slice(5), ['State', 'State', 'State']);
  assert.equal(forward.open, 0);
});

test('go: a program that stops again at once has been let go', async t => {
  const forward = await forwardToDlv(t, ({ method }) =>
    method.endsWith('State') ? { State: { Running: false } } : { Breakpoints: [] },
  );
  await release(forward);
});

for (const [name, to] of Object.entries({
  dlv: async () => DirectForward.to(await freePort()),
  program: (t: TestContext) => forwardToDlv(t, () => new Error('Process 7 has exited with status 0')),
}))
  test(`go: where the ${name} has ended, there is nothing to release`, async t => {
    const forward = await to(t);
    t.after(() => forward.dispose());
    await release(forward);
    assert.equal(forward.open, 0);
  });

const silent = () => undefined;
for (const { name, to, signal, error } of [
  {
    name: 'silent',
    to: (t: TestContext) => forwardToDlv(t, silent),
    signal: () => AbortSignal.timeout(300),
    error: /time/,
  },
  {
    name: 'unwilling',
    to: (t: TestContext) => forwardToDlv(t, () => new Error('no')),
    error: /^Error: dlv: "no"$/,
  },
  {
    name: 'something else',
    to: async (t: TestContext) => DirectForward.to(await listen(t, client => client.write('HTTP/1.1 400\n'))),
    error: /not dlv/,
  },
])
  test(`go: a dlv that is ${name} fails the release`, async t => {
    const forward = await to(t);
    t.after(() => forward.dispose());
    await assert.rejects(release(forward, signal?.()), error);
    assert.equal(forward.open, 0);
  });

const ready = (forward: DirectForward, takesMany: boolean) =>
  recipeTable.go.ready(forward, { suspended: false, takesMany, signal: AbortSignal.timeout(60_000) });

test('go: a dlv that takes several clients is asked for its version, and for nothing else', async t => {
  const called: string[] = [];
  const forward = await forwardToDlv(t, ({ method }) => {
    called.push(method);
    return { DelveVersion: 'Version: 1.20.2\nBuild: $Id: 1$', APIVersion: 2 };
  });
  assert.deepEqual(await ready(forward, true), { target: 'dlv 1.20.2' });
  assert.deepEqual(called, ['RPCServer.GetVersion']);
  assert.equal(forward.open, 0);
  assert.equal(forward.handedOver.length, 0, 'the debugger has a connection of its own');
});

test('go: a dlv of one client is asked for nothing', async t => {
  const called: string[] = [];
  const forward = await forwardToDlv(t, ({ method }) => void called.push(method));
  assert.deepEqual(await ready(forward, false), {});
  assert.deepEqual(called, []);
  assert.equal(forward.handedOver.length, 1);
});

for (const [version, isRefused] of Object.entries({ '0.11.0': true, '1.7.2': true, '1.7.3': false, '1.10.0': false }))
  test(`go: dlv ${version} is ${isRefused ? 'too old, which is told (H54)' : 'new enough'}`, async t => {
    const forward = await forwardToDlv(t, () => ({ DelveVersion: `Version: ${version}` }));
    const asked = ready(forward, true);
    if (isRefused) await assert.rejects(asked, failure('dlv-too-old', /1\.7\.3/, /newer dlv/));
    else assert.deepEqual(await asked, { target: `dlv ${version}` });
  });

test('go: what is no dlv is told with its words', async t => {
  const forward = await DirectForward.to(await listen(t, client => client.write('HTTP/1.1 400\n')));
  t.after(() => forward.dispose());
  await assert.rejects(ready(forward, true), failure('wrong-protocol', /HTTP\/1\.1 400/));
  assert.equal(forward.open, 0);
});

test('go: a dlv that closes each connection is told after a few tries (H55)', async t => {
  const forward = await DirectForward.to(await listen(t, client => client.destroy()));
  t.after(() => forward.dispose());
  await assert.rejects(ready(forward, true), failure('listener-closed', /./, /--only-same-user=false/));
  assert.equal(forward.dials, 3);
});
