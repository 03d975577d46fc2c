import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { mappedIn } from '../../../src/debuggers/mappedPaths.ts';
import { debugpyReady } from '../../../src/debuggers/readiness/debugpy.ts';
import { Bindings, breakpointsOf } from '../../../src/shell/bindings.ts';
import { container } from '../../support/containers.ts';
import { DapSocket } from '../../support/dapSocket.ts';
import { skipWithoutDebugpy, startDebugpy } from '../../support/debugpy.ts';
import { amply, forwardTo } from '../../support/directForward.ts';

/** What a real debugpy says to a breakpoint in `/ws/web/app.py`, which is mapped to `remote`. */
async function breakpointsWith(t: TestContext, remoteOf: (dir: string) => string) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'breakpod-')));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'app.py');
  await writeFile(file, 'import time\nwhile True:\n    time.sleep(0.1)\n');
  const { port } = await startDebugpy(t, file);
  const forward = await forwardTo(t, port);
  await debugpyReady(forward, amply());
  const paths = { local: '/ws/web', remote: remoteOf(dir), sources: [] };
  const at = { host: '127.0.0.1', port: forward.localPort };
  const configuration = recipeTable.python.attach(at, paths, container().detection);
  const dap = await DapSocket.to(t, forward.localPort);
  await dap.request('initialize', {
    adapterID: 'debugpy',
    clientID: 'vscode',
    linesStartAt1: true,
    pathFormat: 'path',
  });
  const attached = dap.send('attach', configuration);
  await dap.event('initialized');
  const bindings = new Bindings();
  const asked = { source: { path: '/ws/web/app.py' }, breakpoints: [{ line: 3 }] };
  bindings.toAdapter({ type: 'request', seq: 1, command: 'setBreakpoints', arguments: asked });
  const body = await dap.request('setBreakpoints', asked);
  bindings.fromAdapter({ type: 'response', command: 'setBreakpoints', request_seq: 1, success: true, body });
  await dap.request('configurationDone');
  await dap.answer(attached);
  return { breakpoints: breakpointsOf([bindings], mappedIn(configuration)), dir };
}

test(
  'breakpoints: a real debugpy takes one where the file is mapped to its place',
  { skip: skipWithoutDebugpy },
  async t => {
    const { breakpoints } = await breakpointsWith(t, dir => dir);
    assert.deepEqual(breakpoints, { bound: 1, unbound: [] });
  },
);

test(
  'breakpoints: a real debugpy says that a file is not where it is mapped to',
  { skip: skipWithoutDebugpy },
  async t => {
    const { breakpoints, dir } = await breakpointsWith(t, made => join(made, 'elsewhere'));
    const { bound, unbound } = breakpoints;
    assert.equal(bound, 0);
    assert.deepEqual(
      unbound.map(({ file, line, expected }) => ({ file, line, expected })),
      [{ file: '/ws/web/app.py', line: 3, expected: join(dir, 'elsewhere', 'app.py') }],
    );
    assert.match(unbound[0]!.said!, /does not exist/);
  },
);
