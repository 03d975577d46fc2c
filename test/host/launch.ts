import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Cases } from './cases.ts';

const launch = { type: 'breakpod', request: 'launch', name: 'Shop' } as const;
const start = (configuration: vscode.DebugConfiguration) =>
  vscode.debug.startDebugging(vscode.workspace.workspaceFolders![0], configuration);

export const launches: Cases = {
  'launch: an attribute that is wrong starts no session': async () => {
    const started: string[] = [];
    const listening = vscode.debug.onDidStartDebugSession(({ name }) => started.push(name));
    assert.equal(await start({ ...launch, modules: 'web' }), false);
    assert.equal(await start({ ...launch, request: 'attach', port: 'fifty' }), false);
    listening.dispose();
    assert.deepEqual(started, []);
  },

  'attach: a cluster alone is a session, and it ends without a Skaffold': async () => {
    const ended = new Promise<string>(resolve => {
      const listening = vscode.debug.onDidTerminateDebugSession(session => {
        listening.dispose();
        resolve(session.name);
      });
    });
    assert.equal(await start({ ...launch, request: 'attach', name: 'Cluster' }), true);
    const session = vscode.debug.activeDebugSession;
    assert.equal(session?.type, 'breakpod');
    await vscode.debug.stopDebugging(session);
    assert.equal(await ended, 'Cluster');
  },
};
