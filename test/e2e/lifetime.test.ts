import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { allGone, descendants, skipWithoutProc } from '../support/linuxProcesses.ts';
import { useDemo, view } from './support/demoWindow.ts';
import { isVerified } from './support/probe.ts';
import type { TestWindow } from './support/suite.ts';

const vscode = useDemo();
/** Starts the window's own demo; its processes, and the extension host that they belong to. */
async function startOwnDemo({ workbench, probe }: TestWindow): Promise<{ host: number; pids: readonly number[] }> {
  const host = await probe.run(() => process.pid);
  const before = descendants(host);
  await workbench.command('Breakpod: Start Demo Cluster');
  for (const name of ['web', 'reports', 'worker'])
    await workbench.row(new RegExp(`${name}.*Node\\.js · ready`)).waitFor();
  const pids = descendants(host).filter(pid => !before.includes(pid));
  assert.ok(pids.length > 5, `the demo has processes: ${pids.length}`);
  return { host, pids };
}

const openRoomy = async (t: Parameters<typeof vscode.openView>[0], folder?: string): Promise<TestWindow> => {
  const window = await vscode.openView(t, folder);
  await window.workbench.fold('Run'); // makes room
  return window;
};

test('the demo ends with its window', { skip: skipWithoutProc }, async t => {
  const window = await openRoomy(t);
  const { pids } = await startOwnDemo(window);
  await window.workbench.page.goto('about:blank');
  await allGone(pids);
});

test('the demo ends when its extension host is killed', { skip: skipWithoutProc }, async t => {
  const window = await openRoomy(t);
  const { host, pids } = await startOwnDemo(window);
  process.kill(host, 'SIGKILL');
  await allGone(pids);
});

/** What the shop's web service has sold; an answer shows that it lives and is not paused. */
async function sold(): Promise<number> {
  const { host, port } = vscode.demo.addressOf('shop', 'web', 8080)!;
  const response = await fetch(`http://${host}:${port}/?item=bread`, { signal: AbortSignal.timeout(60_000) });
  return Number(/(\d+) sold so far/.exec(await response.text())?.[1]);
}

async function pauseWeb({ workbench, debug, probe }: TestWindow): Promise<void> {
  const text = readFileSync(`${vscode.demo.workspace}/web/src/server.ts`, 'utf8');
  const line = text.split('\n').findIndex(one => one.includes('sold += count')) + 1;
  await workbench.openFile('web/src/server.ts');
  await debug.setBreakpoint(line);
  await workbench.inlineAction(workbench.row(/web.*Node\.js · ready/), 'Attach Debugger');
  await probe.until('a verified breakpoint', isVerified);
  await workbench.row(/web.*Node\.js · paused/).waitFor();
}

const endings: { name: string; end(window: TestWindow): Promise<unknown> }[] = [
  { name: 'a reload', end: ({ workbench }) => workbench.page.reload() },
  { name: 'closing the window', end: ({ workbench }) => workbench.page.goto('about:blank') },
  {
    name: 'the end of the extension host',
    end: async ({ probe }) => process.kill(await probe.run(() => process.pid), 'SIGKILL'),
  },
];

for (const { name, end } of endings)
  test(`a program that is paused goes on after ${name}`, async t => {
    const window = await openRoomy(t, vscode.demo.workspace);
    await window.probe.run(api => api.debug.removeBreakpoints(api.debug.breakpoints));
    const before = await sold();
    await pauseWeb(window);
    await end(window);
    assert.ok((await sold()) > before, 'it is the same process, and it sells');
  });

test('two windows: each has its own rows and sessions, and one that closes leaves the other alone', async t => {
  const first = await openRoomy(t);
  const second = await openRoomy(t);
  const rowOf = ({ workbench }: TestWindow, text: RegExp) => workbench.row(text, workbench.view(view));
  await first.workbench.press(rowOf(first, /web.*ready/));
  await rowOf(first, /web.*attached/).waitFor();
  await second.workbench.press(rowOf(second, /web.*ready/));
  await rowOf(second, /web.*attached/).waitFor();
  await second.workbench.page.goto('about:blank');
  await delay(2_000);
  await rowOf(first, /web.*attached/).waitFor();
  assert.ok((await sold()) > 0);
});
