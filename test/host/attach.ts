import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Cases, until } from './cases.ts';
import { extension, rowOf } from './extension.ts';

const sessions: vscode.DebugSession[] = [];
vscode.debug.onDidStartDebugSession(session => sessions.push(session));
vscode.debug.onDidTerminateDebugSession(session => sessions.splice(sessions.indexOf(session), 1));

export const attach: Cases = {
  'attach: the rows of the cluster come when somebody asks': async () => {
    const row = await rowOf('web', 'ready');
    assert.equal(row.runtime, 'nodejs');
    assert.equal(row.isAttachable, true);
  },

  'attach: the chain to a container as data': async () => {
    const api = await extension().activate();
    const steps = api.explain((await rowOf('web', 'ready')).id);
    const broken = steps.filter(({ ok }) => ok === false);
    assert.deepEqual(broken, []);
    assert.deepEqual(
      steps.filter(({ ok }) => ok === true).map(({ name }) => name),
      ['evidence', 'pod', 'probes', 'port', 'debugger'],
    );
    assert.deepEqual(api.explain('nothing'), []);
  },

  "attach: the debugger gets a local port and the container's path": async () => {
    const api = await extension().activate();
    await api.attach((await rowOf('web', 'ready')).id);
    const { localPort } = await rowOf('web', 'attached');
    const { configuration } = await until('a debug session', () =>
      sessions.find(({ parentSession }) => !parentSession),
    );
    assert.equal(configuration['address'], '127.0.0.1');
    assert.equal(configuration['port'], localPort);
    assert.equal(configuration['autoAttachChildProcesses'], false);
    assert.equal(
      configuration['localRoot'],
      vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'web').fsPath,
    );
  },

  'attach: a second one makes no second session': async () => {
    const api = await extension().activate();
    const roots = () => sessions.filter(({ parentSession }) => !parentSession).length;
    await api.attach((await rowOf('web', 'attached')).id);
    assert.equal(roots(), 1);
  },

  'attach: detach ends the session, and the container can be attached to again': async () => {
    const api = await extension().activate();
    await api.detach((await rowOf('web', 'attached')).id);
    await until('the end of the session', () => sessions.length === 0);
    assert.equal((await rowOf('web', 'ready')).isAttachable, true);
  },
};
