import assert from 'node:assert/strict';
import test from 'node:test';
import type { DebugConfiguration } from '../../../src/core/contracts.ts';
import { parseJsonc } from '../../../src/lib/jsonc.ts';
import { launchText } from '../../../src/shell/launchText.ts';
import { failure } from '../../support/failure.ts';

const at = { folder: '/ws (1)', file: '/ws (1)/.vscode/launch.json' };
const web: DebugConfiguration = {
  type: 'node',
  request: 'attach',
  name: 'web',
  localRoot: '/ws (1)/web',
  outFiles: ['/ws (1)/web/**/*.js', '!**/node_modules/**'],
  remoteRoot: '/ws (1)2/app',
  port: 9229,
};
const written = {
  ...web,
  localRoot: '${workspaceFolder}/web',
  outFiles: ['${workspaceFolder}/web/**/*.js', '!**/node_modules/**'],
};

for (const text of [undefined, '', '\n'])
  test(`launch.json: a new file in place of ${JSON.stringify(text)}`, () =>
    assert.deepEqual(parseJsonc(launchText(text, web, at)), { version: '0.2.0', configurations: [written] }));

test('launch.json: one more, under a name of its own; comments stay', () => {
  const text = '{\n  // mine\n  "configurations": [{ "name": "web" }, { "name": "web 2" }], // all\n}\n';
  const after = launchText(text, web, at);
  const { configurations } = parseJsonc(after) as { configurations: unknown[] };
  assert.deepEqual(configurations.slice(2), [{ ...written, name: 'web 3' }]);
  assert.ok(after.includes('// mine') && after.includes('// all'));
});

test('launch.json: paths of Windows', () => {
  const windows = { folder: 'C:\\shop', file: 'x' };
  const after = launchText(undefined, { ...web, localRoot: 'C:\\shop\\web', outFiles: ['C:/shop/web/*.js'] }, windows);
  assert.match(after, /"\$\{workspaceFolder\}\\\\web"/);
  assert.match(after, /"\$\{workspaceFolder\}\/web\/\*\.js"/);
});

for (const text of ['{ "configurations": [', '[]', '{ "configurations": {} }'])
  test(`launch.json: a file that cannot be added to is named: ${text}`, () =>
    assert.throws(() => launchText(text, web, at), failure('launch-file-broken', /./, /Correct the file/)));
