import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Cases, until } from './cases.ts';
import { extension, rowOf } from './extension.ts';

const set = (value: object | undefined) =>
  vscode.workspace.getConfiguration().update('breakpod.recipes', value, vscode.ConfigurationTarget.Global);

export const recipes: Cases = {
  "own recipes: a field of the user's goes before what was found out; a bad entry harms no other": async () => {
    const api = await extension().activate();
    await set({ bad: 7, nodejs: { configuration: { skipFiles: ['/own/${port}/**'], remoteRoot: '/own' } } });
    await api.attach((await rowOf('web', 'ready')).id);
    const { localPort, id } = await rowOf('web', 'attached');
    const { configuration } = vscode.debug.activeDebugSession?.parentSession ?? vscode.debug.activeDebugSession!;
    assert.deepEqual(configuration['skipFiles'], [`/own/${localPort}/**`]);
    assert.equal(configuration['remoteRoot'], '/own');
    await api.detach(id);
    await until('the end of the session', () => vscode.debug.activeDebugSession === undefined);
  },

  'own recipes: a debugger that is missing is told, also when the user does not want to be asked': async () => {
    const api = await extension().activate();
    await set({ nodejs: { type: 'no-such-debugger', extension: 'no.such' } });
    const attach = async () => api.attach((await rowOf('web', 'ready')).id);
    await assert.rejects(attach, { code: 'debugger-missing' });
    await vscode.commands.executeCommand('_breakpod.dontAskForDebugger', 'no-such-debugger');
    await assert.rejects(attach, { code: 'debugger-missing-quiet' });
    await set(undefined);
    assert.equal((await rowOf('web', 'ready')).isAttachable, true);
  },
};
