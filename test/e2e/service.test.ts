// The event service of one window, read by curl and by a second VS Code that has no cluster of its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { freePort } from '../../src/lib/freePort.ts';
import { eventually } from '../integration/demo/support.ts';
import { curl } from '../support/curl.ts';
import { useDemo, view } from './support/demoWindow.ts';
import { type TestWindow, useVsCode } from './support/suite.ts';

const first = useDemo();
const second = useVsCode(() => ({ env: { KUBECONFIG: join(import.meta.dirname, 'there-is-no-kubeconfig') } }));

/** Starts the service by its command; the ports that the window shows. */
async function startService({ workbench, shot }: TestWindow): Promise<{ grpc: number; http: number }> {
  await workbench.command('Breakpod: Start Event Service');
  const message = workbench.notification(/gRPC at 127\.0\.0\.1:\d+, HTTP at http:\/\/127\.0\.0\.1:\d+/);
  await message.waitFor();
  await shot('service-started');
  const [, grpc, http] = /127\.0\.0\.1:(\d+), HTTP at http:\/\/127\.0\.0\.1:(\d+)/.exec(await message.innerText())!;
  return { grpc: Number(grpc), http: Number(http) };
}

/** A curl that has got the start of the web service. */
async function readByCurl(t: TestContext, port: number) {
  const reader = curl(t, `http://127.0.0.1:${port}/v1/events`);
  const start = /"entry":"Debuggable container started pod\/web-\S+:web \(shop\)"/;
  await eventually('the start', () => start.test(reader.seen()) || undefined);
  return reader;
}

/** The second VS Code on a folder with a launch configuration that joins this port. */
async function readFrom(t: TestContext, port: number): Promise<TestWindow> {
  const folder = mkdtempSync(join(second.scratch, 'reader-'));
  mkdirSync(join(folder, '.vscode'));
  const configurations = [{ type: 'breakpod', request: 'attach', name: 'The other window', port }];
  writeFileSync(join(folder, '.vscode', 'launch.json'), JSON.stringify({ version: '0.2.0', configurations }));
  const window = await second.openWindow(t, folder);
  await window.workbench.openDebugView(view);
  for (const other of ['Variables', 'Watch', 'Breakpoints']) await window.workbench.fold(other); // makes room
  await window.probe.run(api => void api.commands.executeCommand('workbench.action.debug.start'));
  return window;
}

test('what one window sees is in the tree of another, until the service is stopped', async t => {
  const window = await first.openView(t);
  await window.workbench.row(/web.*ready/).waitFor();
  const { grpc, http } = await startService(window);
  const { seen, code } = await readByCurl(t, http);
  const reader = await readFrom(t, grpc);
  const { workbench } = reader;
  await workbench.row(/The other window/).waitFor();
  const row = workbench.row(/web.*starting/, workbench.view(view));
  await row.waitFor();
  await reader.shot('service-second-window');
  await window.workbench.command('Breakpod: Stop Event Service');
  await reader.debug.isOver();
  assert.equal(await code, 0, seen());
  const log = second.host.newestLog()!;
  assert.match(log, new RegExp(`Stopped reading skaffold:${grpc}: .*, complete`));
});

test('a window that goes gives its readers the last events, and ends their streams well', async t => {
  const window = await first.openView(t);
  await window.workbench.row(/web.*ready/).waitFor();
  const { http } = await startService(window);
  const { seen, code } = await readByCurl(t, http);
  await window.workbench.page.goto('about:blank');
  assert.equal(await code, 0, seen());
});

test('the setting starts the service at a port, and a port that is taken is said', async t => {
  const window = await first.openView(t);
  const { probe, workbench } = window;
  const set = (name: string, value: unknown) =>
    probe.run((api, key, to) => api.workspace.getConfiguration('breakpod.eventService').update(key, to), name, value);
  const isServed = (port: number) =>
    fetch(`http://127.0.0.1:${port}/v1/state`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  const port = await freePort();
  await set('httpPort', port);
  await set('enabled', true);
  await eventually('the service', () => isServed(port));
  const other = await freePort();
  await set('httpPort', other);
  await eventually('the service at another port', () => isServed(other));
  assert.equal(await isServed(port), undefined);
  await workbench.command('Breakpod: Copy Address of the Event Service');
  await workbench.quickPick(/curl -sN/);
  const command = `curl -sN http://127.0.0.1:${other}/v1/events`;
  const copied = () => probe.run(api => api.env.clipboard.readText());
  await eventually('the address', async () => (await copied()) === command || undefined);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  await set('httpPort', (taken.address() as AddressInfo).port);
  await workbench.notification(/The event service cannot listen at port \d+\..*EADDRINUSE/).waitFor();
  await window.shot('service-port-taken');
  await set('httpPort', other);
  await set('enabled', false);
  await eventually('its end', async () => ((await isServed(other)) ? undefined : true));
});
