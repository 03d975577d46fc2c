import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { useVsCode } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const view = 'Debug Containers';
const vscode = useVsCode(() => ({}));

test('without a kubeconfig the view offers the demo; its first breakpoint is two clicks away', async t => {
  const { workbench, debug, picture, shot } = await vscode.openWindow(t);
  await workbench.openDebugView(view);
  await workbench.fold('Run'); // makes room
  const pane = workbench.view(view);
  await workbench.welcome(/No kubeconfig/, pane).waitFor();
  await shot('welcome');
  await pane.getByRole('button', { name: 'Start Demo Cluster' }).click();
  const web = workbench.row(/web.*Node\.js · ready/, pane);
  await web.waitFor();
  await workbench.activeTab('server.ts').waitFor();
  await workbench.row(/worker.*Node\.js · ready/, pane).waitFor();
  await workbench.row(/orders.*Java · ready/, pane).waitFor();
  await picture('containers');
  await debug.setBreakpoint(27);
  await workbench.inlineAction(web, 'Attach Debugger');
  await debug.stopped('server.ts', 27);
  await workbench.row(/web.*Node\.js · paused/, pane).waitFor(); // brought in sight, though the view is smaller now
  await shot('demo');
  assert.equal(await badgeOf(workbench), '1', 'VS Code counts the session, and nobody counts it twice');
  await workbench.command('Breakpod: Stop Demo Cluster');
  await workbench.welcome(/No kubeconfig/, pane).waitFor();
  await workbench.activeTab('server.ts').waitFor({ state: 'detached' });
});

/** The number on the icon of Run and Debug. */
const badgeOf = ({ page }: Workbench): Promise<string> =>
  page.locator('.activitybar').getByRole('tab', { name: 'Run and Debug' }).locator('.badge-content').innerText();

test('an unreachable cluster: the view says so, and the log has the raw cause', async t => {
  const { workbench, probe, folder } = await vscode.openWindow(t);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(nobody('https://127.0.0.1:1')));
  await probe.run(
    (api, path) =>
      api.workspace.getConfiguration().update('breakpod.kubeconfig', path, api.ConfigurationTarget.Workspace),
    kubeconfig,
  );
  await workbench.openDebugView(view);
  await workbench.fold('Run'); // makes room
  const pane = workbench.view(view);
  await workbench.welcome(/cannot be reached/, pane).waitFor();
  await pane.getByText('What happened?').click();
  const message = workbench.page.locator('.notifications-toasts .notification-list-item');
  await message.filter({ hasText: /connect ECONNREFUSED 127\.0\.0\.1:1/ }).waitFor();
  assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0, 'no modal dialog');
});

const nobody = (server: string) => ({
  'current-context': 'far-away',
  clusters: [{ name: 'far', cluster: { server } }],
  contexts: [{ name: 'far-away', context: { cluster: 'far', user: 'me' } }],
  users: [{ name: 'me', user: { token: 'x' } }],
});

test('without a Java debugger the row says what is missing, and the message offers to install it', async t => {
  const { workbench, probe } = await vscode.openWindow(t);
  await workbench.openDebugView(view);
  await workbench.fold('Run');
  await workbench.command('Breakpod: Start Demo Cluster');
  const pane = workbench.view(view);
  await workbench.press(workbench.row(/orders.*Java · ready/, pane));
  const message = workbench.page.locator('.notifications-toasts .notification-list-item');
  await message.filter({ hasText: /Java debugger .*redhat\.java/ }).waitFor();
  await message.getByRole('button', { name: 'Install vscjava.vscode-java-debug' }).waitFor();
  await workbench.row(/orders.*failed at the debugger/, pane).waitFor();
  await workbench.expand(workbench.row(/orders.*failed at the debugger/, pane));
  await workbench.show(workbench.row(/Java debugger is needed/, pane), pane);
  assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0, 'no modal dialog');
  assert.deepEqual(await probe.events(), [], 'no session was tried');
  await workbench.command('Breakpod: Stop Demo Cluster');
  await workbench.welcome(/No kubeconfig/, pane).waitFor();
});

test('the palette attaches, asks first in a protected context, copies the address and shows events', async t => {
  const { workbench, probe } = await vscode.openWindow(t);
  await workbench.command('Breakpod: Start Demo Cluster');
  await workbench.fold('Run');
  const pane = workbench.view(view);
  await workbench.row(/web.*ready/, pane).waitFor();
  await workbench.collapse(workbench.row('backoffice', pane)); // the rows below stay in sight
  await probe.run(api => api.workspace.getConfiguration().update('breakpod.protectedContexts', ['*DEMO'], true));
  const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: /Attach a debugger to web in breakpod-demo/ });
  for (const answer of ['Cancel', 'Attach']) {
    await workbench.command('Breakpod: Attach Debugger');
    await workbench.quickPick(/web.*namespace shop/);
    await dialog.getByRole('button', { name: answer }).click();
    await dialog.waitFor({ state: 'hidden' });
  }
  await workbench.row(/web.*attached/, pane).waitFor();
  await workbench.contextMenu(workbench.row(/web.*attached/, pane), 'Copy Debug Address');
  const address = () => probe.run(api => api.env.clipboard.readText());
  for (let i = 0; i < 1000 && !/^127\.0\.0\.1:\d+$/.test(await address()); i++) await workbench.page.waitForTimeout(50);
  assert.match(await address(), /^127\.0\.0\.1:\d+$/);
  await workbench.contextMenu(workbench.row(/web.*attached/, pane), 'Show Container Events');
  await workbench.page
    .locator('.view-line', { hasText: /Debugger.attached/ })
    .first()
    .waitFor();
});
