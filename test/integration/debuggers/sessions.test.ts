// Whole debug sessions on processes of this machine, by the way of the product: its probe, its forward, its configuration, and
// then the real debugger that takes it: debugpy, Delve, the core of Microsoft's Java debugger. Node's runs in VS Code only.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import test, { type TestContext } from 'node:test';
import { debugpy, jdk } from '../../../.ci/lib/needs.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { javaDap, javaDapClassPath } from '../../real/debuggers/needs.ts';
import { container } from '../../support/containers.ts';
import { DapSocket } from '../../support/dapSocket.ts';
import { delve } from '../../support/delve.ts';
import { forwardTo } from '../../support/directForward.ts';
import { type Turning, type TurningSample, turningSamples } from '../../support/turns.ts';

const isThere: Readonly<Record<TurningSample['runtime'], boolean>> = {
  python: await debugpy.isThere(),
  go: await delve.isThere(),
  jvm: (await jdk.isThere()) && (await javaDap.isThere()),
};

/** The adapter that VS Code's extension for the language would talk to. */
async function adapterOf(t: TestContext, runtime: string, port: number): Promise<DapSocket> {
  if (runtime !== 'jvm') return DapSocket.to(t, port);
  const adapter = spawn('java', ['-cp', javaDapClassPath, 'JavaDap'], { stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => adapter.kill('SIGKILL'));
  return DapSocket.of(adapter);
}

/** Attaches by the way of the product, with breakpoints set before the program goes on. */
async function attach(
  t: TestContext,
  { runtime }: TurningSample,
  { port, file }: Turning,
  { line, suspended }: { line: number; suspended: boolean },
) {
  const recipe = recipeTable[runtime];
  const forward = await forwardTo(t, port);
  const signal = AbortSignal.timeout(60_000);
  await recipe.ready(forward, { suspended, takesMany: runtime === 'go', signal });
  const at = { host: '127.0.0.1', port: forward.localPort };
  const folder = dirname(file);
  const configuration = configurationOf(recipe, container({ detection: { runtime } }), at, {
    local: folder,
    ...(runtime === 'python' ? { remote: folder } : {}),
    sources: [],
  });
  const dap = await adapterOf(t, runtime, forward.localPort);
  await dap.request('initialize', {
    adapterID: recipe.type,
    clientID: 'vscode',
    linesStartAt1: true,
    pathFormat: 'path',
  });
  const attached = dap.send('attach', configuration);
  await dap.event('initialized');
  await dap.request('setBreakpoints', { source: { path: file }, breakpoints: [{ line }] });
  await dap.request('configurationDone');
  await dap.answer(attached);
  return { dap, forward, recipe };
}

interface Frame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
}

/** Waits for the stop; gives the thread and the top frame. */
async function stopped(dap: DapSocket): Promise<{ threadId: number; top: Frame }> {
  const { body } = await dap.event('stopped');
  const { threadId } = body as { threadId: number };
  const { stackFrames } = await dap.request('stackTrace', { threadId, startFrame: 0, levels: 20 });
  return { threadId, top: (stackFrames as Frame[])[0]! };
}

/** The value of a local variable or argument, as the debugger shows it. */
async function valueOf(dap: DapSocket, frame: Frame, name: string): Promise<string | undefined> {
  const { scopes } = await dap.request('scopes', { frameId: frame.id });
  for (const { variablesReference } of scopes as { variablesReference: number }[]) {
    const { variables } = await dap.request('variables', { variablesReference });
    const found = (variables as { name: string; value: string }[]).find(one => one.name === name);
    if (found) return found.value;
  }
  return undefined;
}

for (const sample of turningSamples) {
  const { runtime } = sample;
  const skip =
    isThere[runtime] || process.env['CI'] ? {} : { skip: `the debugger of ${runtime} is not on this machine` };

  test(
    `${runtime}: a breakpoint is hit, with stack and variables; continue, hit again, detach; the program goes on`,
    skip,
    async t => {
      const turning = await sample.start(t, { suspended: false });
      const { dap, forward, recipe } = await attach(t, sample, turning, { line: sample.line, suspended: false });
      const first = await stopped(dap);
      assert.equal(first.top.line, sample.line);
      assert.match(first.top.name, sample.frame);
      const before = Number(await valueOf(dap, first.top, 'n'));
      assert.ok(Number.isInteger(before), `n is ${before}`);
      await dap.request('continue', { threadId: first.threadId });
      const second = await stopped(dap);
      assert.equal(Number(await valueOf(dap, second.top, 'n')), before + 1, 'one turn later');
      await dap.request('disconnect', { terminateDebuggee: false });
      await recipe.release?.(forward, AbortSignal.timeout(30_000));
      await turning.program.until(new RegExp(`turn ${before + 5}\\b`));
    },
  );

  test(
    `${runtime}: a program that waits stops in its first line, does nothing before, and goes on after the detach`,
    skip,
    async t => {
      const turning = await sample.start(t, { suspended: true });
      const { dap, forward, recipe } = await attach(t, sample, turning, { line: sample.firstLine, suspended: true });
      const { top, threadId } = await stopped(dap);
      assert.equal(top.line, sample.firstLine);
      assert.doesNotMatch(turning.program.output, /turn/);
      await dap.request('continue', { threadId });
      await turning.program.until(/turn 2\b/);
      await dap.request('disconnect', { terminateDebuggee: false });
      await recipe.release?.(forward, AbortSignal.timeout(30_000));
      const turns = turning.program.output.length;
      await turning.program.until(new RegExp(`^[\\s\\S]{${turns + 20}}`));
    },
  );
}
