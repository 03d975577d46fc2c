import assert from 'node:assert/strict';
import test from 'node:test';
import type { Recipe } from '../../../src/core/contracts.ts';
import type { UserError } from '../../../src/core/errors.ts';
import { bringsType, checkDebugger, type Installed, QUIETLY_MISSING } from '../../../src/shell/installed.ts';

const recipe = (type: string, extensions: string[]) =>
  ({ type, extensions, label: 'The debugger' }) as unknown as Recipe;
const java = recipe('java', ['vscjava.vscode-java-debug', 'redhat.java']);
const node = recipe('node', []);
const brings = (id: string, ...types: string[]): Installed => ({
  id,
  packageJSON: { contributes: { debuggers: types.map(type => ({ type })) } },
});

const cases: { name: string; recipe: Recipe; installed: Installed[]; install: string[] | undefined }[] = [
  {
    name: 'VS Code ships it',
    recipe: node,
    installed: [brings('ms-vscode.js-debug', 'pwa-node', 'node')],
    install: undefined,
  },
  { name: 'it is disabled', recipe: node, installed: [], install: [] },
  { name: 'none of two', recipe: java, installed: [], install: ['vscjava.vscode-java-debug', 'redhat.java'] },
  {
    name: 'one of two',
    recipe: java,
    installed: [brings('vscjava.vscode-java-debug', 'java')],
    install: ['redhat.java'],
  },
  {
    name: 'both, spelled in another case',
    recipe: java,
    installed: [brings('VSCJava.vscode-java-debug', 'java'), brings('RedHat.java')],
    install: undefined,
  },
  {
    name: 'another extension brings the type',
    recipe: java,
    installed: [brings('other.java', 'java')],
    install: undefined,
  },
  { name: '* is no type', recipe: recipe('*', []), installed: [brings('vscode.debug-server-ready', '*')], install: [] },
  {
    name: 'manifests that are not as they should be',
    recipe: java,
    installed: [
      { id: 'a.b', packageJSON: null },
      { id: 'c.d', packageJSON: { contributes: { debuggers: {} } } },
    ],
    install: ['vscjava.vscode-java-debug', 'redhat.java'],
  },
];

for (const { name, recipe: of, installed, install } of cases)
  test(`checkDebugger: ${name}`, () => {
    if (!install) return checkDebugger(of, installed);
    assert.throws(
      () => checkDebugger(of, installed),
      (error: UserError) => {
        assert.equal(error.code, 'debugger-missing');
        assert.deepEqual(
          error.actions.map(({ kind, ...action }) => [kind, 'id' in action ? action.id : undefined]),
          [
            ...install.map(id => ['installExtension', id]),
            ...install.slice(0, 1).map(id => ['showExtension', id]),
            ['dontAskAgain', undefined],
          ],
        );
        return true;
      },
    );
  });

test('checkDebugger: what the user does not want to be asked about is told without a message, by the row', () =>
  assert.throws(
    () => checkDebugger(java, [], true),
    (error: UserError) => {
      assert.equal(error.code, QUIETLY_MISSING);
      assert.match(error.message, /is not installed/);
      assert.equal(error.actions.length, 4);
      return true;
    },
  ));

test('bringsType: a debug type is looked for in all manifests', () => {
  const installed = [brings('a.b', 'x', '*'), brings('c.d', 'y'), { id: 'e.f', packageJSON: undefined }];
  assert.deepEqual(
    ['x', 'y', 'z', '*'].map(type => bringsType(type, installed)),
    [true, true, false, false],
  );
});
