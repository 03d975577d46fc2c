import assert from 'node:assert/strict';
import test from 'node:test';
import type { Container, Detection } from '../../../src/core/model.ts';
import { UserError } from '../../../src/core/errors.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { recipes } from '../../../src/debuggers/recipes.ts';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { container } from '../../support/containers.ts';

const at = { host: '127.0.0.1', port: 53211 };
const mapped = { local: '/home/me/shop/web', remote: '/app', sources: [] };
const unmapped = { sources: [] };
const withDetection = (detection: Partial<Detection>): Container => container({ detection });

const configurations: { runtime: keyof typeof recipeTable; paths: object; want: object }[] = [
  {
    runtime: 'jvm',
    paths: { ...mapped, remote: undefined },
    want: { type: 'java', hostName: '127.0.0.1', port: 53211, timeout: 30_000, sourcePaths: ['/home/me/shop/web'] },
  },
  {
    runtime: 'jvm',
    paths: unmapped,
    want: { type: 'java', hostName: '127.0.0.1', port: 53211, timeout: 30_000, sourcePaths: [] },
  },
  {
    runtime: 'netcore',
    paths: mapped,
    want: { type: 'coreclr', justMyCode: true, sourceFileMap: { '/app': '/home/me/shop/web' } },
  },
  {
    runtime: 'nodejs',
    paths: mapped,
    want: {
      type: 'node',
      address: '127.0.0.1',
      port: 53211,
      timeout: 10_000,
      restart: false,
      continueOnAttach: true,
      attachExistingChildren: false,
      autoAttachChildProcesses: false,
      localRoot: '/home/me/shop/web',
      remoteRoot: '/app',
      sourceMaps: true,
      outFiles: ['/home/me/shop/web/**/*.(m|c|)js', '!**/node_modules/**'],
      resolveSourceMapLocations: ['**', '!**/node_modules/**'],
    },
  },
  {
    runtime: 'nodejs',
    paths: { ...unmapped, remote: '/app' },
    want: {
      type: 'node',
      address: '127.0.0.1',
      port: 53211,
      timeout: 10_000,
      restart: false,
      continueOnAttach: true,
      attachExistingChildren: false,
      autoAttachChildProcesses: false,
      sourceMaps: true,
      outFiles: [],
      resolveSourceMapLocations: ['**', '!**/node_modules/**'],
    },
  },
  {
    runtime: 'python',
    paths: mapped,
    want: {
      type: 'debugpy',
      connect: { host: '127.0.0.1', port: 53211 },
      pathMappings: [{ localRoot: '/home/me/shop/web', remoteRoot: '/app' }],
    },
  },
  { runtime: 'python', paths: unmapped, want: { type: 'debugpy', connect: { host: '127.0.0.1', port: 53211 } } },
  {
    runtime: 'go',
    paths: mapped,
    want: {
      type: 'go',
      mode: 'remote',
      debugAdapter: 'dlv-dap',
      host: '127.0.0.1',
      port: 53211,
      substitutePath: [{ from: '/home/me/shop/web', to: '/app' }],
    },
  },
  {
    runtime: 'go',
    paths: { ...mapped, module: { path: 'shop.example/web', main: 'shop.example/web/cmd/web' } },
    want: {
      type: 'go',
      mode: 'remote',
      debugAdapter: 'dlv-dap',
      host: '127.0.0.1',
      port: 53211,
      guessSubstitutePath: {
        ImportPathOfMainPackage: 'shop.example/web/cmd/web',
        ClientGOROOT: '',
        ClientModuleDirectories: { 'shop.example/web': '/home/me/shop/web' },
      },
    },
  },
  {
    runtime: 'go',
    paths: unmapped,
    want: { type: 'go', mode: 'remote', debugAdapter: 'dlv-dap', host: '127.0.0.1', port: 53211 },
  },
];
configurations.push(
  { runtime: 'deno', paths: mapped, want: configurations.find(({ runtime }) => runtime === 'nodejs')!.want },
  {
    runtime: 'bun',
    paths: mapped,
    want: { type: 'bun', url: 'ws://127.0.0.1:53211/debug', localRoot: '/home/me/shop/web', remoteRoot: '/app' },
  },
  { runtime: 'bun', paths: unmapped, want: { type: 'bun', url: 'ws://127.0.0.1:53211/debug' } },
  {
    runtime: 'ruby',
    paths: mapped,
    want: { type: 'rdbg', debugPort: '127.0.0.1:53211', localfsMap: '/app:/home/me/shop/web' },
  },
  { runtime: 'ruby', paths: unmapped, want: { type: 'rdbg', debugPort: '127.0.0.1:53211' } },
);
for (const { runtime, paths, want } of configurations)
  test(`configuration: ${runtime}, ${Object.keys(paths).join('+')}`, () => {
    const web = withDetection({ runtime, path: '/debug' });
    const { name, request, ...rest } = configurationOf(recipeTable[runtime], web, at, { sources: [], ...paths });
    assert.equal(request, 'attach');
    assert.equal(name, `web · shop/web (${runtime})`);
    assert.deepEqual(rest, want);
  });

test('configuration: nothing is left for VS Code to fill in (H50)', () => {
  for (const recipe of Object.values(recipeTable))
    for (const paths of [mapped, unmapped])
      assert.ok(!JSON.stringify(configurationOf(recipe, withDetection({ path: '/x' }), at, paths)).includes('${'));
});

test('configuration: outFiles has forward slashes on Windows too', () => {
  const fields = recipeTable.nodejs.attach(
    at,
    { local: 'C:\\shop\\web', remote: '/app', sources: [] },
    container().detection,
  );
  assert.deepEqual(fields['outFiles'], ['C:/shop/web/**/*.(m|c|)js', '!**/node_modules/**']);
});

for (const runtime of Object.keys(recipeTable) as (keyof typeof recipeTable)[])
  test(`recipe: ${runtime} is found`, () =>
    assert.equal(recipes.recipeFor(withDetection({ runtime, ports: {} })).type, recipeTable[runtime].type));

test('recipe: python with pydevd beside dap is attached through dap', () =>
  assert.equal(
    recipes.recipeFor(withDetection({ runtime: 'python', ports: { pydevd: 1, dap: 2 } })),
    recipeTable.python,
  ));

const refused: { name: string; detection: Partial<Detection>; code: string; says: RegExp }[] = [
  {
    name: 'pydevd',
    detection: { runtime: 'python', ports: { pydevd: 5678 } },
    code: 'pydevd-unsupported',
    says: /--protocols=dap/,
  },
  {
    name: 'another runtime',
    detection: { runtime: 'dart', ports: {} },
    code: 'runtime-unknown',
    says: /breakpod\.recipes: "dart".*forwarded/,
  },
  { name: 'a tricky name', detection: { runtime: 'toString' }, code: 'runtime-unknown', says: /forwarded/ },
];
for (const { name, detection, code, says } of refused)
  test(`recipe: ${name} is refused with what to do`, () =>
    assert.throws(
      () => recipes.recipeFor(withDetection(detection)),
      (error: UserError) => {
        assert.ok(error instanceof UserError);
        assert.equal(error.code, code);
        assert.match(error.remedy!, says);
        return true;
      },
    ));

test('recipe: no runtime at all is refused', () => {
  const { runtime, ...detection } = container().detection;
  assert.ok(runtime);
  assert.throws(() => recipes.recipeFor({ ...container(), detection }), { code: 'runtime-missing' });
});

test('recipe: the table cannot be changed', () => {
  assert.ok(Object.isFrozen(recipeTable));
  for (const recipe of Object.values(recipeTable)) assert.ok(Object.isFrozen(recipe));
});
