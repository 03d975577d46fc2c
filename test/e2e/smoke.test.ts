import assert from 'node:assert/strict';
import test from 'node:test';
import { useVsCode } from './support/suite.ts';

const vscode = useVsCode();

test('the VSIX installs, and its view can be opened in Run and Debug', async t => {
  const { workbench, probe, shot } = await vscode.openWindow(t);
  const version = await probe.run(api => {
    const extension = api.extensions.getExtension('breakpod.breakpod');
    return extension && (extension.packageJSON as { version: string }).version;
  });
  assert.match(version ?? 'not installed', /^\d+\.\d+\.\d+$/);
  await workbench.openDebugView('Debug Containers');
  const view = workbench.view('Debug Containers');
  await workbench.welcome(/\w/, view).or(workbench.row(/\w/, view)).first().waitFor();
  await shot('smoke');
});
