import assert from 'node:assert/strict';
import test from 'node:test';
import { overrideFor } from '../../../src/core/recipeOverrides.ts';
import { readRecipes } from '../../../src/debuggers/recipeSetting.ts';

const good = {
  dart: { type: 'dart', extension: 'Dart-Code.dart-code', configuration: { vmServiceUri: 'x' }, port: 8181 },
  web: {},
};

test('recipes setting: entries are read as they are', () => {
  const { overrides, problems } = readRecipes(good);
  assert.deepEqual(Object.fromEntries(overrides), good);
  assert.deepEqual(problems, []);
});

for (const value of [undefined, null, {}])
  test(`recipes setting: ${JSON.stringify(value)} says nothing`, () =>
    assert.deepEqual(readRecipes(value), { overrides: new Map(), problems: [] }));

const bad: [entry: unknown, says: RegExp][] = [
  ['dart', /must be an object/],
  [[], /must be an object/],
  [null, /must be an object/],
  [{ type: '' }, /"type" must be a debug type.*not ""/],
  [{ type: 7 }, /"type"/],
  [{ extension: 'dart' }, /"extension" must be the id/],
  [{ configuration: [] }, /"configuration" must be an object/],
  [{ configuration: { request: 'launch' } }, /without "type", "request", "name"/],
  [{ port: '9229' }, /"port" must be a number from 1 to 65535, not "9229"/],
  [{ port: 0 }, /"port"/],
  [{ port: 70000 }, /"port"/],
  [{ port: 1.5 }, /"port"/],
  [{ ports: 1 }, /no "ports"; it takes type, extension, configuration, port/],
];
for (const [entry, says] of bad)
  test(`recipes setting: ${JSON.stringify(entry)} is told with setting and key, and the others count`, () => {
    const { overrides, problems } = readRecipes({ broken: entry, ...good });
    assert.deepEqual([...overrides.keys()], ['dart', 'web']);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!.message, /breakpod\.recipes is wrong at "broken"/);
    assert.match(String(problems[0]!.cause), says);
    assert.deepEqual(problems[0]!.actions, [{ kind: 'openSetting', label: 'Open Setting', key: 'breakpod.recipes' }]);
  });

for (const value of ['x', 7, []])
  test(`recipes setting: ${JSON.stringify(value)} instead of an object is told`, () => {
    const { overrides, problems } = readRecipes(value);
    assert.equal(overrides.size, 0);
    assert.match(problems[0]!.message, /breakpod\.recipes is wrong/);
  });

const overrides = readRecipes({
  python: { type: 'a', configuration: { x: 1, y: 1 }, port: 1 },
  dap: { configuration: { y: 2 }, port: 2 },
  api: { type: 'b', configuration: { z: 3 } },
}).overrides;
const cases: [name: string, of: Parameters<typeof overrideFor>[1], want: unknown][] = [
  ['nothing', { runtime: 'go', ports: {} }, undefined],
  ['a container without a runtime', { ports: {} }, undefined],
  ['the runtime', { runtime: 'python', ports: {} }, { type: 'a', configuration: { x: 1, y: 1 }, port: 1 }],
  [
    'the port name over the runtime',
    { runtime: 'python', ports: { dap: 5678 } },
    { type: 'a', configuration: { x: 1, y: 2 }, port: 2 },
  ],
  [
    'the artifact over all',
    { runtime: 'python', ports: { dap: 5678 }, artifact: 'api' },
    { type: 'b', configuration: { x: 1, y: 2, z: 3 }, port: 2 },
  ],
  ['the artifact alone', { ports: {}, artifact: 'api' }, { type: 'b', configuration: { z: 3 } }],
  ['a tricky artifact', { ports: {}, artifact: 'toString' }, undefined],
];
for (const [name, of, want] of cases)
  test(`recipes setting: ${name} counts`, () => assert.deepEqual(overrideFor(overrides, of), want));
