// F5 to Stop with a Skaffold that plays a script: real processes, real gRPC, real containers of the demo cluster.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/lib/freePort.ts';
import { WORKLOADS } from '../../src/demo/workloads.ts';
import { allGone, isAlive, skipWithoutProc } from '../support/linuxProcesses.ts';
import { installSkaffold, type ScriptedSkaffold } from '../support/scriptedSkaffold/install.ts';
import type { Scenario } from '../support/scriptedSkaffold/scenario.ts';
import { useDemo, view } from './support/demoWindow.ts';
import { isVerified } from './support/probe.ts';
import type { TestWindow } from './support/suite.ts';

const skip = skipWithoutProc;
const runId = 'a-run-of-the-tests';
const folder = mkdtempSync(join(tmpdir(), 'breakpod-skaffold-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What the scripted Skaffold deploys: the web service once more, with the label that Skaffold puts on all that is its. */
const shop = WORKLOADS.find(({ name }) => name === 'web')!;
const deployed: typeof shop = {
  ...shop,
  name: 'store',
  template: directory => {
    const template = shop.template(directory);
    return { ...template, labels: { app: 'store', 'skaffold.dev/run-id': runId } };
  },
};

let skaffold: ScriptedSkaffold;
/** It deploys and cleans up by asking this test, which has the cluster. */
const cluster = createServer((request, response) => {
  const done = request.url === '/deploy' ? deploy() : vscode.demo.remove('shop', 'store');
  done.then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
after(() => cluster.close());
await new Promise<void>(resolve => cluster.listen(0, '127.0.0.1', resolve));
const ask = (what: string) => [
  process.execPath,
  '-e',
  `fetch('http://127.0.0.1:${(cluster.address() as AddressInfo).port}/${what}').then(r => r.ok || process.exit(1))`,
];

let scenario: Omit<Scenario, 'record'>;
async function deploy(): Promise<void> {
  if (vscode.demo.addressOf('shop', 'store', 8080)) return void (await vscode.demo.rollout('shop', 'store'));
  await vscode.demo.run(deployed);
  for (let i = 0; i < 600 && !vscode.demo.addressOf('shop', 'store', 8080); i++) await delay(50);
  const podName = vscode.demo.store.snapshot().find(({ pod }) => pod.metadata.labels?.['app'] === 'store')!.pod.metadata
    .name;
  const container = {
    podName,
    containerName: 'web',
    namespace: 'shop',
    artifact: 'web',
    debugPorts: { devtools: 9229 },
  };
  skaffold.play({ ...scenario, containers: [container] });
}

const vscode = useDemo(() => {
  skaffold = installSkaffold(folder);
  writeFileSync(join(dirname(skaffold.binary), 'kubectl'), '#!/bin/sh\n', { mode: 0o755 }); // looked for before a launch, never run
  return { ...skaffold.env, PATH: `${dirname(skaffold.binary)}${delimiter}${process.env['PATH']}` };
});

/** A window on the demo's sources, with a launch.json if `launch` is given, and a Skaffold that plays. */
async function open(t: TestContext, given: Omit<Scenario, 'record'> = {}, launch?: object): Promise<TestWindow> {
  scenario = {
    runId,
    artifacts: [{ name: 'web', context: 'web' }],
    onDeploy: ask('deploy'),
    onCleanUp: ask('delete'),
    ...given,
  };
  skaffold.forget();
  skaffold.play(scenario);
  const settings = join(vscode.demo.workspace, '.vscode');
  mkdirSync(settings, { recursive: true });
  const configuration = {
    type: 'breakpod',
    request: 'launch',
    name: 'Shop',
    skaffoldFile: '${workspaceFolder}/skaffold.yaml',
  };
  const configurations = launch ? [{ ...configuration, ...launch }] : [];
  writeFileSync(join(settings, 'launch.json'), JSON.stringify({ version: '0.2.0', configurations }));
  if (!launch) rmSync(join(settings, 'launch.json'));
  t.after(() => vscode.demo.remove('shop', 'store').catch(() => undefined));
  const window = await vscode.openView(t, vscode.demo.workspace);
  await window.probe.run(api => api.debug.removeBreakpoints(api.debug.breakpoints));
  for (const other of launch ? ['Variables', 'Watch', 'Breakpoints'] : ['Run']) await window.workbench.fold(other); // makes room
  return window;
}

const started = () => skaffold.happenings('start').at(-1)!;

/** The log of the newest window, when it has a line that matches. */
async function logLine(pattern: RegExp): Promise<string> {
  for (let i = 0; i < 1200; i++) {
    const line = vscode.host
      .newestLog()
      ?.split('\n')
      .find(one => pattern.test(one));
    if (line) return line;
    await delay(50);
  }
  return assert.fail(`no line of the log matches ${pattern}:\n${vscode.host.newestLog()}`);
}

async function sold(): Promise<number> {
  const { host, port } = vscode.demo.addressOf('shop', 'store', 8080)!;
  const response = await fetch(`http://${host}:${port}/?item=bread`, { signal: AbortSignal.timeout(60_000) });
  return Number(/(\d+) sold so far/.exec(await response.text())?.[1]);
}

/** Sets a breakpoint where somebody buys; the line. */
async function breakWhereSold({ workbench, debug }: TestWindow): Promise<number> {
  const file = 'web/src/server.ts';
  const lines = readFileSync(join(vscode.demo.workspace, file), 'utf8').split('\n');
  const line = lines.findIndex(text => text.includes('sold += count')) + 1;
  await workbench.openFile(file);
  await debug.setBreakpoint(line);
  return line;
}

/** What F5 does, also where no editor has the focus. */
const startDebugging = ({ probe }: TestWindow) =>
  probe.run(api => void api.commands.executeCommand('workbench.action.debug.start'));

test(
  'F5: Skaffold deploys, its container appears and is attached to, a breakpoint is hit, Stop drains and cleans up',
  { skip },
  async t => {
    const window = await open(t, {}, {});
    const { workbench, debug, picture } = window;
    const line = await breakWhereSold(window);
    await workbench.page.keyboard.press('F5');
    await workbench.row(/Shop.*running/, workbench.view(view)).waitFor();
    await workbench.row(/store.*Node\.js · attached/, workbench.view(view)).waitFor();
    await window.probe.until('a verified breakpoint', isVerified);
    const answer = sold();
    await debug.stopped('server.ts', line);
    await workbench.fold('Call Stack'); // makes room
    await workbench.show(workbench.row(/store.*Node\.js · paused/), workbench.view(view));
    await picture('skaffold');
    await debug.resume();
    assert.ok((await answer) > 0, 'the program sells');
    await workbench.contextMenu(workbench.row(/store.*attached/, workbench.view(view)), 'Show Application Log');
    await workbench.outputLine(/hello.from.the.program/).waitFor();
    const { pid, args, cwd } = started();
    assert.equal(cwd, vscode.demo.workspace);
    assert.ok(args.includes('--rpc-port') || args.some(arg => arg.startsWith('--rpc-port=')), args.join(' '));
    await workbench.inlineAction(workbench.row(/Shop.*running/, workbench.view(view)), 'Stop Skaffold Session');
    const last = await logLine(/Stopped reading skaffold:\d+/);
    assert.match(last, /: [1-9]\d* events in the last \d+ ms, complete/);
    await logLine(/Debuggable container terminated pod\/store-/);
    await allGone([pid]);
    assert.deepEqual(
      skaffold.happenings('signal').map(({ name }) => name),
      ['SIGINT'],
    );
    await workbench.row(/Shop/, workbench.view(view)).waitFor({ state: 'detached' });
    await debug.isOver();
  },
);

test(
  'a build that fails: its error and advice are on the row and, after the end, in the log; nothing is left',
  { skip },
  async t => {
    const failingBuild = {
      artifact: 'web',
      message: 'exit status 1: server.ts(27,3): error TS1005',
      suggestions: ['Mend the source.'],
    };
    const window = await open(t, { faults: { failingBuild } });
    const { workbench } = window;
    await window.probe.run(api => api.commands.executeCommand('workbench.action.closeAllEditors'));
    await startDebugging(window); // there is no launch.json: VS Code asks for a debugger
    await workbench.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: /^Breakpod/ })
      .first()
      .click();
    const row = workbench.row(/failed.*web/, workbench.view(view)).first();
    await row.waitFor();
    await workbench
      .row(/error TS1005/, workbench.view(view))
      .first()
      .waitFor();
    await workbench
      .row(/Mend the source\./, workbench.view(view))
      .first()
      .waitFor();
    await window.shot('skaffold-failed');
    await logLine(/Stopped reading skaffold:\d+.*complete/);
    await allGone([started().pid]);
    await window.debug.isOver();
    await workbench.inlineAction(row, 'Dismiss Ended Session');
  },
);

const ends: { name: string; end(window: TestWindow): Promise<unknown> }[] = [
  { name: 'the Stop of the toolbar', end: ({ debug }) => debug.button(/^(Stop|Disconnect)/).click() },
  { name: 'the end of all sessions by the API', end: ({ probe }) => probe.run(api => void api.debug.stopDebugging()) },
  { name: 'closing the window', end: ({ workbench }) => workbench.page.goto('about:blank') },
  {
    name: 'the end of the extension host',
    end: async ({ probe }) => process.kill(await probe.run(() => process.pid), 'SIGKILL'),
  },
];

for (const { name, end } of ends)
  test(`after ${name} the program lives on, and no process of Skaffold does`, { skip }, async t => {
    const window = await open(t, { faults: { child: 'polite' } }, { cleanUp: false });
    const { workbench } = window;
    await startDebugging(window);
    await workbench.row(/store.*Node\.js · attached/, workbench.view(view)).waitFor();
    const before = await sold();
    const pids = [started().pid, skaffold.happenings('child').at(-1)!.pid];
    assert.ok(pids.every(isAlive));
    await end(window);
    await allGone(pids);
    assert.equal(await sold(), before + 1, 'it is the same process, and it sells');
  });

test(
  'a Skaffold of a terminal is offered; joined, its containers can be attached to; left, it runs on',
  { skip },
  async t => {
    const window = await open(t);
    const { workbench, debug } = window;
    const terminal = spawn(skaffold.binary, ['debug', '--rpc-port', String(await freePort())], {
      cwd: vscode.demo.workspace,
      env: { ...process.env, ...skaffold.env },
      stdio: 'ignore',
    });
    t.after(() => terminal.kill('SIGKILL'));
    const offered = workbench.row(/workspace.*found/, workbench.view(view));
    await workbench.inlineAction(offered, 'Join Skaffold Session');
    await workbench.row(/workspace.*running/, workbench.view(view)).waitFor();
    await workbench.press(workbench.row(/store.*Node\.js · ready/, workbench.view(view)));
    await workbench.row(/store.*Node\.js · attached/, workbench.view(view)).waitFor();
    await window.shot('skaffold-joined');
    await workbench.command('Breakpod: Apply Changes Automatically');
    const calls = () => skaffold.happenings('call').map(({ name, request }) => `${name} ${String(request)}`);
    for (let i = 0; i < 600 && calls().length < 3; i++) await delay(50);
    assert.deepEqual(calls(), ['auto build true', 'auto sync true', 'auto deploy true']);
    await workbench.inlineAction(workbench.row(/workspace.*running/, workbench.view(view)), 'Stop Skaffold Session');
    await offered.waitFor();
    await debug.isOver();
    assert.ok(isAlive(terminal.pid!), 'it runs on');
    assert.deepEqual(skaffold.happenings('signal'), []);
  },
);

/** A request to the session above all others, whichever has the focus. */
const askOwner = ({ probe }: TestWindow, command: string, args: object) =>
  probe.run(
    (api, name, given) => {
      let owner = api.debug.activeDebugSession!;
      while (owner.parentSession) owner = owner.parentSession;
      return owner.customRequest(name, given);
    },
    command,
    args,
  );

test('Restart starts Skaffold again, and its container is attached to again', { skip }, async t => {
  const window = await open(t, {}, {});
  const { workbench } = window;
  const attached = workbench.row(/store.*Node\.js · attached/, workbench.view(view));
  await startDebugging(window);
  await attached.waitFor();
  const [first] = skaffold.happenings('start');
  await askOwner(window, 'restart', {});
  await allGone([first!.pid]);
  await attached.waitFor();
  assert.equal(skaffold.happenings('start').length, 2);
  assert.ok((await sold()) > 0, 'the program sells');
});

test('Disconnect leaves Skaffold running, and it is offered', { skip }, async t => {
  const window = await open(t, {}, {});
  const { workbench, debug } = window;
  await startDebugging(window);
  await workbench.row(/store.*Node\.js · attached/, workbench.view(view)).waitFor();
  const { pid } = started();
  t.after(() => process.kill(pid, 'SIGKILL'));
  await askOwner(window, 'disconnect', { terminateDebuggee: false });
  await workbench.row(/workspace.*found/, workbench.view(view)).waitFor();
  await debug.isOver();
  assert.ok(isAlive(pid), 'it runs on');
  assert.ok((await sold()) > 0, 'the program sells');
  assert.deepEqual(skaffold.happenings('signal'), []);
});
