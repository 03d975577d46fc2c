import assert from 'node:assert/strict';
import test from 'node:test';
import { parseJsonc, withItem } from '../../../src/lib/jsonc.ts';

const readable: [name: string, text: string, value: unknown][] = [
  ['comments', '{ // a\n "a": /* b */ 1 }', { a: 1 }],
  ['commas at ends', '{ "a": [1, 2,\n], }', { a: [1, 2] }],
  ['a comma before a comment', '[1, // last\n]', [1]],
  ['what looks so in strings', '{ "u": "http://x/,]", "q": "\\"//", }', { u: 'http://x/,]', q: '"//' }],
  ['a byte order mark', '\ufeff{}', {}],
];
for (const [name, text, value] of readable)
  test(`JSON with comments: ${name}`, () => assert.deepEqual(parseJsonc(text), value));

test('JSON with comments: what is none', () => assert.throws(() => parseJsonc('{ "a": '), SyntaxError));

const lists: [name: string, text: string, comments: readonly string[]][] = [
  ['an empty list', '{\n  "configurations": []\n}\n', []],
  ['one item', '{\n  "configurations": [\n    { "name": "a" }\n  ]\n}\n', []],
  [
    'comments around all',
    '// top\n{\n  // before\n  "configurations": [ // of\n    { "name": "a" } // after a\n    // end\n  ], // done\n  "version": "0.2.0"\n}\n',
    ['// top', '// before', '// of', '// after a', '// end', '// done'],
  ],
  ['a comma at the end', '{\n\t"configurations": [\n\t\t{ "name": "a" }, // x\n\t],\n}\n', ['// x']],
  [
    'a list of that name further in',
    '{ "compounds": [{ "configurations": ["no"] }], "configurations": [{ "a": "]" }] }',
    [],
  ],
  ['only a comment in the list', '{\n  "configurations": [\n    // none yet\n  ]\n}', ['// none yet']],
];
for (const [name, text, comments] of lists)
  test(`an item more: ${name}`, () => {
    const before = parseJsonc(text) as { configurations: unknown[] };
    const after = withItem(text, 'configurations', { name: 'new', list: [1] })!;
    assert.deepEqual(parseJsonc(after), {
      ...before,
      configurations: [...before.configurations, { name: 'new', list: [1] }],
    });
    for (const comment of comments) assert.ok(after.includes(comment), after);
  });

test('an item more: laid out as the file is', () =>
  assert.equal(
    withItem('{\n  "configurations": [\n    { "name": "a" } // it\n  ]\n}\n', 'configurations', { name: 'b' }),
    '{\n  "configurations": [\n    { "name": "a" }, // it\n    {\n      "name": "b"\n    }\n  ]\n}\n',
  ));

test('an item more: there is no such list', () => {
  assert.equal(withItem('{ "configurations": {} }', 'configurations', 1), undefined);
  assert.equal(withItem('[]', 'configurations', 1), undefined);
});
