import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import { commands } from '../../src/shell/ids.ts';
import type { Cases } from './cases.ts';
import { extension } from './extension.ts';

/** Files of the extension that the extension host has loaded, by their names. */
const loaded = (): string[] =>
  Object.keys(createRequire(__filename).cache)
    .filter(file => file.startsWith(extension().extensionPath))
    .map(file => file.split(/[\\/]/).at(-1)!);

export const activation: Cases = {
  'activation: not before somebody needs it': () => {
    assert.equal(extension().isActive, false);
  },

  'activation: loads no library': async () => {
    await extension().activate();
    assert.deepEqual(loaded(), ['extension.cjs']);
  },

  'activation: every command is there': async () => {
    const all = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      Object.values(commands).filter(id => !all.has(id)),
      [],
    );
  },

  'activation: the API has a version': async () => {
    assert.equal((await extension().activate()).version, 1);
  },
};
