import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { WORKLOADS } from '../../src/demo/workloads.ts';
import { useDemo, view } from './support/demoWindow.ts';
import type { TestWindow } from './support/suite.ts';

const vscode = useDemo();

/** A kubeconfig for the demo whose current context logs in with this token. */
function kubeconfigWith(name: string, token: string): string {
  const { kubeconfigFile } = vscode.demo;
  const { clusters } = JSON.parse(readFileSync(kubeconfigFile, 'utf8')) as { clusters: { name: string }[] };
  const context = { cluster: clusters[0]!.name, user: name, namespace: 'shop' };
  const file = join(vscode.scratch, `${name}.json`);
  const parts = { clusters, contexts: [{ name, context }], users: [{ name, user: { token } }] };
  writeFileSync(file, JSON.stringify({ 'current-context': name, ...parts }));
  return file;
}

const useKubeconfig = ({ probe }: TestWindow, file: string) =>
  probe.run(
    (api, path) =>
      api.workspace.getConfiguration().update('breakpod.kubeconfig', path, api.ConfigurationTarget.Workspace),
    file,
  );

test('a login without the right to forward: the row says step, right and remedy, and stays readable', async t => {
  const window = await vscode.openView(t);
  const { workbench, probe, shot } = window;
  await workbench.fold('Run'); // makes room
  await workbench.command('Breakpod: Choose Context…');
  await workbench.quickPick('breakpod-demo-viewer');
  await workbench.viewHeader(view).getByText('breakpod-demo-viewer').waitFor();
  await workbench.press(workbench.row(/web.*ready/));
  const row = workbench.row(/web.*failed at the port-forward/);
  await row.waitFor();
  const message = /Forwarding to shop\/web-\S+ is not allowed: the right "create" on pods\/portforward .* is missing/;
  await workbench.row(message).waitFor(); // unfolded by itself
  assert.match((await row.getAttribute('aria-label'))!, message);
  const toast = workbench.notification(message);
  await toast.getByText(/Ask for a role with the rule/).waitFor();
  await workbench.row(/api.*ready/).waitFor();
  await shot('viewer');
  assert.deepEqual(await probe.events(), [], 'no session was tried');
  assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0, 'no modal dialog');

  await workbench.command('Breakpod: Choose Context…');
  await workbench.quickPick('breakpod-demo-shop');
  await workbench.press(workbench.row(/web.*ready/)); // the right is there now, and nothing is left in the way
  await workbench.row(/web.*attached/).waitFor();
  await workbench.inlineAction(workbench.row(/web.*attached/), 'Detach Debugger');
  await workbench.row(/web.*ready/).waitFor();
});

test('no right to list pods, then no login: the empty view says so, with a way on', async t => {
  const window = await vscode.openView(t);
  const { workbench, shot } = window;
  const pane = workbench.view(view);
  await workbench.fold('Run');
  const nobody = { name: 'nobody', groups: [], rules: [] };
  await useKubeconfig(window, kubeconfigWith('nobody', vscode.demo.users.addToken(nobody)));
  await workbench.welcome(/may not list pods here.*pods\/portforward/, pane).waitFor();
  await shot('no-rights');
  await pane.getByText('Which right is missing?').click();
  await workbench.notification(/User "nobody" cannot (list|watch) resource "pods".*Ask for a role/).waitFor();
  await pane.getByRole('button', { name: 'Choose Namespaces', exact: true }).click();
  await workbench.page.locator('.quick-input-widget').getByText('Namespaces cannot be listed').waitFor();
  await workbench.page.keyboard.press('Escape');

  await useKubeconfig(window, kubeconfigWith('stranger', 'no such token'));
  await workbench.welcome(/does not accept the login/, pane).waitFor();
  await shot('no-login');
  await pane.getByText('What happened?').click();
  await workbench.notification(/refuses the login of "stranger"\. \(Unauthorized\)/).waitFor();
  await pane.getByRole('button', { name: 'Try Again' }).waitFor();
});

test('a port that nobody listens on: Enter attaches, Cancel Attach ends the wait, a session that does not start says so', async t => {
  const window = await vscode.openView(t);
  const { workbench, probe, shot } = window;
  await workbench.fold('Run');
  await runDeaf();
  await workbench.row(/deaf.*ready/).waitFor();
  await attachByKeyboard(window, /deaf.*ready/);
  const waiting = workbench.row(/deaf.*attaching: waiting for the debug listener/);
  await waiting.waitFor();
  await shot('waiting');
  await workbench.inlineAction(waiting, 'Cancel Attach');
  await workbench.row(/deaf.*ready/).waitFor();
  assert.equal(await workbench.row(/deaf.*failed/).count(), 0, 'what the user ended has not failed');

  await probe.run(api => {
    api.debug.registerDebugConfigurationProvider('node', { resolveDebugConfiguration: () => undefined });
  });
  await workbench.press(workbench.row(/api.*ready/));
  await workbench.row(/api.*failed at the debug session/).waitFor();
  await workbench.row(/The debugger "node" did not start the session/).waitFor();
  assert.equal(await probe.run(api => api.debug.activeDebugSession?.name), undefined);
  await workbench.row(/web.*ready/).waitFor();
});

/** The keyboard's focus may get lost while the tree is drawn again, then it begins anew at the top. */
async function attachByKeyboard({ workbench }: TestWindow, text: RegExp): Promise<void> {
  const row = workbench.row(text);
  const focused = row.and(workbench.page.locator('.focused'));
  const { keyboard } = workbench.page;
  await workbench.untilGone('attach by the keyboard', row, async () => {
    await workbench.view(view).locator('.monaco-list').first().focus();
    await keyboard.press('Home');
    for (let i = 0; i < 20 && !(await focused.isVisible()); i++) {
      await keyboard.press('ArrowDown');
      await focused.waitFor({ timeout: 200 }).catch(() => undefined);
    }
    if (await focused.isVisible()) await keyboard.press('Enter');
  });
}

/** A pod whose annotation names a port that its program never opens. */
async function runDeaf(): Promise<void> {
  const { template, ...plain } = WORKLOADS.find(({ name }) => name === 'static')!;
  const debug = { static: { artifact: 'static', runtime: 'nodejs', ports: { devtools: 9229 } } };
  await vscode.demo.run({
    ...plain,
    name: 'deaf',
    template(directory) {
      const { containers, ...rest } = template(directory);
      const [only] = containers;
      const ports = [...only!.ports, { name: 'devtools', containerPort: 9229 }];
      const annotations = { 'debug.cloud.google.com/config': JSON.stringify(debug) };
      return { ...rest, annotations, containers: [{ ...only!, ports }] };
    },
  });
}
