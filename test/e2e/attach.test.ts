import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { useDemo, view } from './support/demoWindow.ts';
import { isVerified } from './support/probe.ts';
import type { ProbeEvent } from './support/probeProtocol.ts';
import type { TestWindow } from './support/suite.ts';

const server = 'web/src/server.ts';
const vscode = useDemo();

/** A window on the demo's sources with no breakpoint left from another test. */
async function openDemo(t: TestContext): Promise<TestWindow> {
  const window = await vscode.openView(t, vscode.demo.workspace);
  await window.probe.run(api => api.debug.removeBreakpoints(api.debug.breakpoints));
  return window;
}

/** Line of a file of the demo's sources that holds `text`, counted from 1. */
const lineOf = (file: string, text: string): number =>
  readFileSync(join(vscode.demo.workspace, file), 'utf8')
    .split('\n')
    .findIndex(line => line.includes(text)) + 1;

/** What the shop's web service has sold; an answer shows that it lives and is not paused. */
async function sold(): Promise<number> {
  const { host, port } = vscode.demo.addressOf('shop', 'web', 8080)!;
  const response = await fetch(`http://${host}:${port}/?item=bread`, { signal: AbortSignal.timeout(60_000) });
  return Number(/(\d+) sold so far/.exec(await response.text())?.[1]);
}

/** Sets a breakpoint where somebody buys, and attaches to the web service by a click on its row's button. */
async function attachToWeb({ workbench, debug, probe }: TestWindow): Promise<number> {
  const line = lineOf(server, 'sold += count');
  await workbench.openFile(server);
  await debug.setBreakpoint(line);
  await workbench.inlineAction(workbench.row(/web.*Node\.js · ready/), 'Attach Debugger');
  await probe.until('a verified breakpoint', isVerified);
  return line;
}

const localPort = ({ probe }: TestWindow): Promise<number | undefined> =>
  probe.run(api => {
    const { rows } = api.extensions.getExtension('breakpod.breakpod')!.exports as {
      rows(): { container: string; localPort?: number }[];
    };
    return rows().find(({ container }) => container === 'web')?.localPort;
  });

const isStopped = (event: ProbeEvent): boolean => event.kind === 'fromAdapter' && event.message.event === 'stopped';

const isRestart = (event: ProbeEvent): boolean =>
  event.kind === 'toAdapter' && (event.message.command === 'restart' || event.message.arguments?.['restart'] === true);

const disconnects = (events: readonly ProbeEvent[]) =>
  events.flatMap(event =>
    event.kind === 'toAdapter' && event.message.command === 'disconnect' ? [event.message.arguments] : [],
  );

test('a click attaches, a breakpoint in TypeScript is hit, and the program outlives the detach', async t => {
  const window = await openDemo(t);
  const { workbench, debug, probe, picture } = window;
  await workbench.row(/api.*Node\.js · ready · :9229/).waitFor();
  await workbench.row(/orders.*Java · ready · :5005/).waitFor();
  await workbench.fold('Run'); // makes room

  const line = await attachToWeb(window);
  await debug.stopped('server.ts', line);
  await workbench.row(/web.*Node\.js · paused/).waitFor();
  for (const other of ['Watch', 'Loaded Scripts', 'Breakpoints']) await workbench.fold(other);
  await workbench.page.locator('.debug-variables .monaco-list-row', { hasText: /basket/ }).waitFor();
  await picture('breakpoint');
  await debug.removeBreakpoint(line);
  await debug.resume();
  await workbench.row(/web.*Node\.js · attached/).waitFor();

  await workbench.inlineAction(workbench.row(/web.*attached/), 'Detach Debugger');
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  await debug.isOver();
  assert.ok((await sold()) > 0, 'the program sells');
  for (const sent of disconnects(await probe.events())) assert.equal(sent?.['terminateDebuggee'], false);
});

test('stopping all sessions leaves the program and the processes of this machine alone', async t => {
  const window = await openDemo(t);
  const { workbench, debug, probe } = window;
  const line = await attachToWeb(window);
  await debug.stopped('server.ts', line);
  await probe.run(api => api.debug.stopDebugging());
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  const before = await sold();
  assert.ok((await sold()) > before, 'the program goes on');
  const sent = disconnects(await probe.events());
  assert.ok(sent.length > 0, 'VS Code has asked the debugger to disconnect');
  for (const request of sent) assert.equal(request?.['terminateDebuggee'], false);
});

test('all of a namespace at once; a second click focuses the session that a container has', async t => {
  const window = await openDemo(t);
  const { workbench, probe } = window;
  const active = () => probe.run(api => api.debug.activeDebugSession?.name);
  const until = async (name: RegExp) => {
    for (let i = 0; i < 1200 && !name.test((await active()) ?? ''); i++) await delay(50);
    assert.match((await active()) ?? 'no session', name);
  };
  for (const name of ['web', 'api', 'orders']) await workbench.row(new RegExp(`${name}.*ready`)).waitFor();
  await workbench.command('Breakpod: Attach Debuggers to All');
  await workbench.quickPick(/^shop/);
  for (const name of ['web', 'api', 'orders']) await workbench.row(new RegExp(`${name}.*attached`)).waitFor();
  for (const name of ['web', 'api', 'web']) {
    await workbench.row(new RegExp(`${name}.*attached`), workbench.view(view)).click();
    await until(new RegExp(`${name} ·`));
  }
  const starts = (await probe.events()).filter(({ kind, session }) => kind === 'started' && !session.parent);
  assert.equal(starts.length, 3, 'no second session on a container');
  await workbench.command('Breakpod: Detach All Debuggers');
  await workbench.quickPick(/^shop/);
  for (const name of ['web', 'api', 'orders']) await workbench.row(new RegExp(`${name}.*ready`)).waitFor();
});

test('Restart attaches again, and the row goes on', async t => {
  const window = await openDemo(t);
  const { workbench, debug, probe } = window;
  const line = await attachToWeb(window);
  await debug.stopped('server.ts', line);
  await debug.button(/^Restart/).click();
  const restarted = async () => {
    const events = await probe.events();
    const at = events.findIndex(isRestart);
    return at >= 0 && events.slice(at).some(isStopped);
  };
  for (let i = 0; i < 600 && !(await restarted()); i++) await delay(100);
  assert.ok(await restarted(), 'the breakpoint is hit after the restart');
  await debug.stopped('server.ts', line);
  await workbench.row(/web.*Node\.js · paused/).waitFor();
  await workbench.inlineAction(workbench.row(/web.*paused/), 'Detach Debugger');
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  assert.ok((await sold()) > 0, 'the program sells');
});

test('a session outlives looking again and looking elsewhere', async t => {
  const window = await openDemo(t);
  const { workbench, debug, probe } = window;
  const line = await attachToWeb(window);
  await debug.stopped('server.ts', line);
  const paused = workbench.row(/web.*Node\.js · paused/);
  await workbench.viewAction(view, 'Refresh Containers');
  await paused.waitFor();
  await workbench.command('Breakpod: Choose Context…');
  await workbench.quickPick('breakpod-demo-viewer');
  await workbench.viewHeader(view).getByText('breakpod-demo-viewer · shop').waitFor();
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  await workbench.command('Breakpod: Choose Context…');
  await workbench.quickPick(/^breakpod-demo(?!-)/);
  await paused.waitFor();
  await debug.removeBreakpoint(line);
  await debug.resume();
  await workbench.row(/web.*Node\.js · attached/).waitFor();
  assert.equal((await probe.events()).filter(({ kind }) => kind === 'ended').length, 0);
  await workbench.inlineAction(workbench.row(/web.*attached/), 'Detach Debugger');
  await workbench.row(/web.*Node\.js · ready/).waitFor();
});

/** Names of the sessions that have started or ended, those below others left out. */
const namesOf = async ({ probe }: TestWindow, kind: 'started' | 'ended') =>
  (await probe.events()).flatMap(event => (event.kind === kind && !event.session.parent ? [event.session.name] : []));

/** Waits until so many sessions have started. */
async function untilStarted(window: TestWindow, count: number): Promise<void> {
  for (let i = 0; i < 1200 && (await namesOf(window, 'started')).length < count; i++) await delay(50);
  assert.equal((await namesOf(window, 'started')).length, count);
}

test('the debugger goes on after a replaced pod and a restarted container: breakpoint, name and local port stay', async t => {
  const window = await openDemo(t);
  const { workbench, debug, shot } = window;
  const line = await attachToWeb(window);
  await debug.stopped('server.ts', line);
  const before = await localPort(window);
  assert.ok(before);

  await vscode.demo.replace('shop', 'web'); // while it is paused
  await untilStarted(window, 2);
  await debug.stopped('server.ts', line);
  assert.equal(await localPort(window), before);
  await debug.removeBreakpoint(line);
  await debug.resume();
  await workbench.row(/web.*attached/).waitFor();

  await vscode.demo.restart('shop', 'web', 'web');
  await untilStarted(window, 3);
  await workbench.row(/web.*attached/).waitFor();
  assert.equal(await localPort(window), before);
  assert.equal(new Set(await namesOf(window, 'started')).size, 1, 'one name');
  assert.equal((await namesOf(window, 'ended')).length, 2, 'each before it has ended');
  await shot('followed');

  await workbench.inlineAction(workbench.row(/web.*attached/), 'Detach Debugger');
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  await vscode.demo.restart('shop', 'web', 'web');
  await delay(1_500);
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  await untilStarted(window, 3); // who detaches means it
});

test('the API server is gone for five seconds: the view says so and recovers', async t => {
  const window = await openDemo(t);
  const { workbench, shot } = window;
  await workbench.row(/web.*Node\.js · ready/).waitFor();
  await vscode.demo.killApiServer();
  try {
    await workbench
      .view(view)
      .getByText(/Lost the connection to breakpod-demo; next try in \d+ s/)
      .waitFor();
    await workbench.row(/web.*may be out of date/).waitFor();
    await shot('lost');
    await delay(5_000);
  } finally {
    await vscode.demo.startApiServer();
  }
  await workbench
    .view(view)
    .getByText(/Lost the connection/)
    .waitFor({ state: 'hidden' });
  await workbench.row(/web.*may be out of date/).waitFor({ state: 'hidden' });
  const isBack = /Lost [^]*\[info\] Watching pods\/shop of breakpod-demo/;
  const read = () => vscode.host.newestLog() ?? '';
  for (let i = 0; i < 1200 && !isBack.test(read()); i++) await delay(50); // lines are written to the file a little later
  const log = read();
  assert.match(log, /\[warning\] Lost pods\/shop of breakpod-demo, trying again: .*(ECONNREFUSED|ECONNRESET|socket)/);
  assert.match(log, isBack);
  assert.equal(log.match(/container started pod\/web/g)?.length, 1, 'what went on is no news');
});

test('Java: a breakpoint in the running JVM is hit, and the JVM outlives the detach', async t => {
  const { workbench, debug, probe } = await openDemo(t);
  const source = 'orders/src/main/java/Orders.java';
  const line = lineOf(source, 'orders += 1');
  await workbench.openFile(source);
  await debug.setBreakpoint(line);
  await workbench.inlineAction(workbench.row(/orders.*Java · ready/), 'Attach Debugger');
  await probe.until('a verified breakpoint', isVerified);
  const { host, port: http } = vscode.demo.addressOf('shop', 'orders', 8080)!;
  const order = () => fetch(`http://${host}:${http}/tea`, { signal: AbortSignal.timeout(60_000) });
  const answer = order();
  await debug.stopped('Orders.java', line);
  const started = await probe.until('a session', ({ kind }) => kind === 'started');
  const { type, hostName, port, sourcePaths } = started.session.configuration;
  assert.deepEqual([type, hostName], ['java', '127.0.0.1']);
  assert.equal(typeof port, 'number');
  assert.deepEqual(sourcePaths, [join(vscode.demo.workspace, dirname(source))]);
  await debug.removeBreakpoint(line);
  await debug.resume();
  assert.match(await (await answer).text(), /order \d+ for \/tea/);
  await workbench.inlineAction(workbench.row(/orders.*attached/), 'Detach Debugger');
  await workbench.row(/orders.*Java · ready/).waitFor();
  assert.match(await (await order()).text(), /order \d+ for \/tea/);
});

test('Explain State shows the chain to a breakpoint, and follows the container', async t => {
  const window = await openDemo(t);
  const { workbench, probe } = window;
  const row = workbench.row(/web.*Node\.js · ready/);
  await workbench.contextMenu(row, 'Explain State');
  const text = () => probe.run(api => api.window.activeTextEditor?.document.getText());
  const shows = async (line: RegExp) => {
    for (let tries = 0; tries < 600 && !line.test((await text()) ?? ''); tries++) await delay(50);
    assert.match((await text()) ?? '', line);
  };
  await shows(/^web in pod web-\S+, namespace shop$/m);
  for (const line of [/^✓ Container: running/m, /^✓ Debug port: 9229 \(devtools\)$/m, /^· Debug session: No debugger/m])
    assert.match((await text())!, line);
  for (const line of [/^✓ Port-forward: /m, /^✓ Debug listener: /m, /^✓ Source paths: /m]) await shows(line);
  await window.shot('explain');
  await workbench.inlineAction(row, 'Attach Debugger');
  await shows(/^✓ Debug session: .* is attached$/m);
  await shows(/^✓ Source paths: /m);
});

test('a Node program that runs without an inspector gets one by command, and outlives the detach', async t => {
  const window = await openDemo(t);
  const { workbench, debug, shot } = window;
  await workbench.row(/web.*ready/).waitFor();
  await workbench.command('Breakpod: Open Node.js Inspector and Attach');
  await workbench.quickPick(/^static/);
  await workbench.row(/static.*Node\.js · attached/).waitFor();
  await shot('on-demand');
  await workbench.inlineAction(workbench.row(/static.*attached/), 'Detach Debugger');
  await workbench.row(/static.*Node\.js · ready/).waitFor();
  await debug.isOver();
  const { host, port } = vscode.demo.addressOf('shop', 'static', 8080)!;
  assert.ok((await fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(60_000) })).status < 500);
});

test('a choice of namespaces is remembered for the workspace', async t => {
  const first = await openDemo(t);
  await first.workbench.viewAction(view, 'Choose Namespaces…');
  await first.workbench.quickPick('All namespaces');
  await first.workbench.page.keyboard.press('Enter');
  await first.workbench
    .row(/reports/)
    .first()
    .waitFor();
  await first.workbench.close();
  const second = await openDemo(t);
  await second.workbench
    .row(/reports/)
    .first()
    .waitFor();
  await second.workbench.command('Breakpod: Choose Context…');
  await second.workbench.quickPick('breakpod-demo-shop');
  await second.workbench.viewHeader(view).getByText('breakpod-demo-shop · shop').waitFor();
  await second.workbench.row(/web.*ready/).waitFor();
});
