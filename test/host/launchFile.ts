import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseJsonc } from '../../src/lib/jsonc.ts';
import { type Cases, until } from './cases.ts';
import { rowOf } from './extension.ts';

const file = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.vscode', 'launch.json');
const textNow = async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(file()));
const namesIn = (text: string) =>
  (parseJsonc(text) as { configurations: { name: string; type: string }[] }).configurations.map(
    ({ name, type }) => `${type}: ${name}`,
  );

const cloudCode = `{
  // of the team
  "configurations": [
    { "name": "Shop", "type": "cloudcode.kubernetes", "request": "launch", "skaffoldConfig": "\${workspaceFolder}/skaffold.yaml" },
  ]
}
`;

export const launchFile: Cases = {
  'launch.json: a configuration of Cloud Code is taken over, and one for a container is added': async () => {
    await vscode.workspace.fs.writeFile(file(), new TextEncoder().encode(cloudCode));
    try {
      const launch = () => vscode.workspace.getConfiguration('launch', file()).get<unknown[]>('configurations');
      await until('the file to be read by VS Code', () => launch()?.length === 1);
      await vscode.commands.executeCommand('breakpod.importCloudCode');
      await vscode.commands.executeCommand('breakpod.writeLaunch', (await rowOf('web', 'ready')).id);
      const text = await textNow();
      assert.match(text, /\/\/ of the team/);
      assert.match(text, /"localRoot": "\$\{workspaceFolder\}\/web"/);
      const [first, second, third, ...more] = namesIn(text);
      assert.deepEqual([first, second, more], ['cloudcode.kubernetes: Shop', 'breakpod: Shop (Breakpod)', []]);
      assert.match(third!, /^node: web · /);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(file(), '..'), { recursive: true });
    }
  },
};
