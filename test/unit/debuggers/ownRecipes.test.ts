import assert from 'node:assert/strict';
import test from 'node:test';
import type { Fields } from '../../../src/core/contracts.ts';
import { UserError } from '../../../src/core/errors.ts';
import type { Detection } from '../../../src/core/model.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { recipesOf } from '../../../src/debuggers/recipes.ts';
import { readRecipes } from '../../../src/debuggers/recipeSetting.ts';
import { recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { container } from '../../support/containers.ts';

const at = { host: '127.0.0.1', port: 53211 };
const mapped = { local: '/home/me/shop', remote: '/app', sources: [] };

interface Case {
  readonly setting?: object;
  readonly wishes?: Fields;
  readonly installed?: readonly string[];
  readonly detection: Partial<Detection>;
  readonly paths?: { local?: string; remote?: string };
}

function recipeOf({ setting = {}, wishes, installed = [], detection }: Case) {
  const { overrides, problems } = readRecipes(setting);
  assert.deepEqual(problems, []);
  const recipes = recipesOf({ overrides: () => overrides, hasType: type => installed.includes(type) });
  return recipes.recipeFor(container({ detection }), wishes);
}

function configured(one: Case): Fields {
  const of = container({ detection: one.detection });
  const { name, request, ...rest } = configurationOf(recipeOf(one), of, at, { ...mapped, ...one.paths });
  assert.ok(name);
  assert.equal(request, 'attach');
  return rest;
}

const python = { type: 'debugpy', connect: at, pathMappings: [{ localRoot: '/home/me/shop', remoteRoot: '/app' }] };
const go = { type: 'go', mode: 'remote', debugAdapter: 'dlv-dap', ...at };

const cases: (Case & { name: string; want: Fields })[] = [
  {
    name: 'a field more',
    setting: { python: { configuration: { justMyCode: false } } },
    detection: { runtime: 'python', ports: { dap: 1 } },
    want: { ...python, justMyCode: false },
  },
  {
    name: 'another value for a field',
    setting: { dap: { configuration: { pathMappings: [] } } },
    detection: { runtime: 'python', ports: { dap: 1 } },
    want: { ...python, pathMappings: [] },
  },
  {
    name: 'launch.json over the setting',
    setting: { web: { configuration: { trace: 'log', showLog: true } } },
    wishes: { trace: 'verbose' },
    detection: { runtime: 'go', ports: { dlv: 1 }, artifact: 'web' },
    want: { ...go, substitutePath: [{ from: '/home/me/shop', to: '/app' }], trace: 'verbose', showLog: true },
  },
  {
    name: 'request and name of launch.json do not count',
    wishes: { request: 'launch', name: 'x' },
    detection: { runtime: 'python', ports: { dap: 1 } },
    want: python,
  },
  {
    name: 'another debug type has fields of its own',
    setting: {
      python: {
        type: 'mypy',
        configuration: {
          at: '${host}:${port}',
          port: '${port}',
          map: { '${remoteRoot}': '${localRoot}/src' },
          list: ['${port}', 7, null, true],
        },
      },
    },
    detection: { runtime: 'python', ports: { dap: 1 } },
    want: {
      type: 'mypy',
      at: '127.0.0.1:53211',
      port: 53211,
      map: { '/app': '/home/me/shop/src' },
      list: [53211, 7, null, true],
    },
  },
  {
    name: 'a debug type of launch.json',
    setting: { python: { type: 'mypy' } },
    wishes: { type: 'debugpy' },
    detection: { runtime: 'python', ports: { dap: 1 } },
    want: python,
  },
  {
    name: 'a runtime that Breakpod does not know',
    setting: { dart: { type: 'dart', configuration: { vmServiceUri: 'http://${host}:${port}/' } } },
    detection: { runtime: 'dart', ports: { vm: 8181 } },
    want: { type: 'dart', vmServiceUri: 'http://127.0.0.1:53211/' },
  },
  {
    name: 'a port without a runtime',
    setting: { vm: { type: 'dart' } },
    detection: { ports: { vm: 8181 } },
    want: { type: 'dart' },
  },
  {
    name: 'pydevd, by an extension that speaks it',
    setting: { pydevd: { type: 'pycharm' } },
    detection: { runtime: 'python', ports: { pydevd: 1 } },
    want: { type: 'pycharm' },
  },
  {
    name: 'a variable of VS Code stays',
    setting: { go: { configuration: { cwd: '${workspaceFolder}/x' } } },
    detection: { runtime: 'go', ports: { dlv: 1 } },
    paths: { local: undefined, remote: undefined } as object,
    want: { ...go, cwd: '${workspaceFolder}/x' },
  },
  {
    name: 'C++ by gdbserver with cppdbg',
    setting: { native: { configuration: { program: '${localRoot}/build/app' } } },
    installed: ['cppdbg', 'lldb'],
    detection: { runtime: 'native', ports: { gdbserver: 1 } },
    want: {
      type: 'cppdbg',
      MIMode: 'gdb',
      miDebuggerServerAddress: '127.0.0.1:53211',
      useExtendedRemote: true,
      sourceFileMap: { '/app': '/home/me/shop' },
      program: '/home/me/shop/build/app',
    },
  },
  {
    name: 'C++ with CodeLLDB where only that is installed',
    setting: { native: { configuration: { program: '/x' } } },
    installed: ['lldb'],
    detection: { runtime: 'native', ports: { gdbserver: 1 } },
    want: {
      type: 'lldb',
      processCreateCommands: ['gdb-remote 127.0.0.1:53211'],
      sourceMap: { '/app': '/home/me/shop' },
      program: '/x',
    },
  },
  {
    name: 'C++ with the debugger that the user names',
    setting: { native: { type: 'lldb', configuration: { program: '/x' } } },
    installed: ['cppdbg', 'lldb'],
    detection: { runtime: 'native', ports: { gdbserver: 1 } },
    want: {
      type: 'lldb',
      processCreateCommands: ['gdb-remote 127.0.0.1:53211'],
      sourceMap: { '/app': '/home/me/shop' },
      program: '/x',
    },
  },
];
for (const { name, want, ...one } of cases) test(`own recipe: ${name}`, () => assert.deepEqual(configured(one), want));

const failures: (Case & { name: string; code: string; says: RegExp })[] = [
  {
    name: 'C++ without its program',
    detection: { runtime: 'native', ports: { gdbserver: 1 } },
    code: 'recipe-incomplete',
    says: /"native": \{ "configuration": \{ "program"/,
  },
  {
    name: 'a local path that is not known',
    setting: { go: { configuration: { cwd: '${localRoot}' } } },
    detection: { runtime: 'go', ports: {} },
    paths: { local: undefined } as object,
    code: 'recipe-path-unknown',
    says: /breakpod\.recipes/,
  },
  {
    name: 'Bun without a path',
    detection: { runtime: 'bun', ports: {} },
    code: 'bun-path-unknown',
    says: /--inspect=0\.0\.0\.0:6499\/debug/,
  },
];
for (const { name, code, says, ...one } of failures)
  test(`own recipe: ${name} is told`, () =>
    assert.throws(
      () => configured(one),
      (error: UserError) => {
        assert.ok(error instanceof UserError);
        assert.equal(error.code, code);
        assert.match(error.remedy!, says);
        return true;
      },
    ));

test('own recipe: an extension of the user takes the place of ours', () => {
  const own = { go: { extension: 'me.go' }, dart: { type: 'dart', extension: 'Dart-Code.dart-code' } };
  const goRecipe = recipeOf({ setting: own, detection: { runtime: 'go', ports: {} } });
  assert.deepEqual([goRecipe.type, goRecipe.extensions], ['go', ['me.go']]);
  assert.equal(goRecipe.release, recipeTable.go.release);
  const dart = recipeOf({ setting: own, detection: { runtime: 'dart', ports: {} } });
  assert.deepEqual([dart.type, dart.extensions], ['dart', ['Dart-Code.dart-code']]);
});

test('own recipe: another debug type is ready when the listener of the runtime is', () =>
  assert.equal(
    recipeOf({ setting: { python: { type: 'mypy' } }, detection: { runtime: 'python', ports: {} } }).ready,
    recipeTable.python.ready,
  ));

test('own recipe: nothing said, nothing changed', () =>
  assert.equal(
    recipeOf({ setting: { other: { type: 'x' } }, detection: { runtime: 'go', ports: {} } }),
    recipeTable.go,
  ));
