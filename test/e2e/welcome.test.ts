import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { useVsCode } from './support/suite.ts';

const view = 'Debug Containers';
const vscode = useVsCode(() => ({}));

test('without a kubeconfig the view offers the demo; its first breakpoint is two clicks away', async t => {
  const { workbench, debug, picture } = await vscode.openWindow(t);
  await workbench.openDebugView(view);
  await workbench.viewHeader('Run').first().click(); // makes room
  const pane = workbench.view(view);
  await workbench.welcome(/No kubeconfig/, pane).waitFor();
  await picture('welcome');
  await pane.getByRole('button', { name: 'Start Demo Cluster' }).click();
  const web = workbench.row(/web.*Node\.js · ready/, pane);
  await web.waitFor();
  await workbench.activeTab('server.ts').waitFor();
  await debug.setBreakpoint(27);
  await workbench.inlineAction(web, 'Attach Debugger');
  await debug.stopped('server.ts', 27);
  await picture('demo');
});

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
  await workbench.viewHeader('Run').first().click(); // makes room
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
