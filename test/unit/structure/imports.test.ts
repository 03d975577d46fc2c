import assert from 'node:assert/strict';
import test from 'node:test';
import { importsOf, sourceFiles } from './imports.ts';
import { cycles, importProblems, rules } from './rules.ts';

test('every folder imports only what it may', () => {
  assert.deepEqual(importProblems(sourceFiles()), []);
});

test('no file comes back to itself by its imports', () => {
  assert.deepEqual(cycles(sourceFiles()), []);
});

test('every folder has a rule, and every import is read', () => {
  const files = [...sourceFiles()];
  assert.deepEqual(
    [...new Set(files.map(([file]) => file.split('/')[0]!))].filter(folder => !(folder in rules)),
    [],
  );
  for (const [file, text] of files) {
    const lines = text.split('\n').filter(line => /^(import\b|\} from |export .* from ')/.test(line));
    const starts = lines.filter(line => !/^import (type )?\{$/.test(line)).length;
    const read = importsOf(text).filter(({ kind }) => kind !== 'dynamic').length;
    assert.equal(read, starts, `imports of ${file}`);
  }
});

const planted: { name: string; file: string; line: string; problem: RegExp }[] = [
  {
    name: 'types of VS Code in core',
    file: 'core/store.ts',
    line: `import type * as vscode from 'vscode';`,
    problem: /vscode/,
  },
  { name: 'Node in core', file: 'core/store.ts', line: `import { readFileSync } from 'node:fs';`, problem: /Node/ },
  {
    name: 'core in lib',
    file: 'lib/emitter.ts',
    line: `import type { State } from '../core/model.ts';`,
    problem: /lib may not/,
  },
  {
    name: 'a sibling',
    file: 'cluster/access.ts',
    line: `import { a } from '../debuggers/a.ts';`,
    problem: /may not import debug/,
  },
  {
    name: 'a sibling over several lines',
    file: 'demo/a.ts',
    line: `import {\n  a,\n  b,\n} from '../cluster/a.ts';`,
    problem: /demo may not/,
  },
  {
    name: 'the inside of the demo',
    file: 'shell/a.ts',
    line: `import { demo } from '../demo/demo.ts';`,
    problem: /demo/,
  },
  { name: 'a heavy library', file: 'cluster/a.ts', line: `import { WebSocket } from 'ws';`, problem: /ws \(static\)/ },
  {
    name: 'a heavy library, later',
    file: 'cluster/a.ts',
    line: `  const { parse } = await import('yaml');`,
    problem: /yaml \(dynamic\)/,
  },
  {
    name: 'a part of a heavy library',
    file: 'shell/a.ts',
    line: `import c from '@kubernetes/client-node/dist/config.js';`,
    problem: /client/,
  },
  {
    name: 'the libraries at once',
    file: 'cluster/a.ts',
    line: `import { parseYaml } from './libraries.ts';`,
    problem: /at once/,
  },
  {
    name: 'the libraries, passed on',
    file: 'cluster/a.ts',
    line: `export { parseYaml } from './libraries.ts';`,
    problem: /at once/,
  },
  {
    name: 'the debug adapter at once',
    file: 'shell/a.ts',
    line: `import { OwnerSession } from '../session/ownerSession.ts';`,
    problem: /debug adapter at once/,
  },
  { name: 'an unknown folder', file: 'extra/a.ts', line: `import { a } from '../lib/a.ts';`, problem: /no rule/ },
];

for (const { name, file, line, problem } of planted)
  test(`a planted violation is found: ${name}`, () => {
    const found = importProblems(new Map([[file, `${line}\n`]]));
    assert.equal(found.length, 1);
    assert.match(found[0]!, problem);
  });

const harmless = [
  { name: 'only types of a library', file: 'cluster/a.ts', line: `import type { WebSocket } from 'ws';` },
  {
    name: 'only types, named so one by one',
    file: 'cluster/a.ts',
    line: `import { type ClientOptions, type WebSocket } from 'ws';`,
  },
  {
    name: 'the libraries on need',
    file: 'headless/a.ts',
    line: `const { parseYaml } = await import('../cluster/libraries.ts');`,
  },
  { name: 'Node', file: 'lib/a.ts', line: `import { connect } from 'node:net';` },
];

for (const { name, file, line } of harmless)
  test(`not a violation: ${name}`, () => assert.deepEqual(importProblems(new Map([[file, `${line}\n`]])), []));

test('a planted circle is found', () => {
  const files = new Map([
    ['core/a.ts', `import { b } from './b.ts';`],
    ['core/b.ts', `import type { C } from '../lib/c.ts';`],
    ['lib/c.ts', `import { a } from '../core/a.ts';`],
  ]);
  assert.deepEqual(cycles(files), ['core/a.ts -> core/b.ts -> lib/c.ts -> core/a.ts']);
});
