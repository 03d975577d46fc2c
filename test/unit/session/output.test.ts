import assert from 'node:assert/strict';
import test from 'node:test';
import { coloured, OutputLines } from '../../../src/session/output.ts';

const texts = [
  { name: 'plain text', text: 'Build [web] succeeded\t', shown: 'Build [web] succeeded\t' },
  { name: 'colours', text: '\u001b[32mgreen\u001b[0m', shown: '\u001b[32mgreen\u001b[0m' },
  { name: 'colours that do not end', text: '\u001b[1;31mred', shown: '\u001b[1;31mred\u001b[0m' },
  { name: 'movements', text: 'a\u001b[2K\u001b[1Gb', shown: 'ab' },
  { name: 'a link', text: '\u001b]8;;http://x\u0007here\u001b]8;;\u0007', shown: 'here' },
  { name: 'control and direction marks', text: 'a\u0008b\u202ec\rd', shown: 'abcd' },
];
for (const { name, text, shown } of texts)
  test(`output of a program: ${name}`, () => assert.equal(coloured(text), shown));

test('output of a program is cut into lines, and an end without a line feed is not lost', () => {
  const lines: string[] = [];
  const output = new OutputLines(line => lines.push(line));
  for (const text of ['one\r', '\ntwo\n\nthr', 'ee']) output.push(text);
  assert.deepEqual(lines, ['one', 'two', '']);
  output.end();
  output.end();
  assert.deepEqual(lines, ['one', 'two', '', 'three']);
});

test('a line that does not end is shown in pieces', () => {
  const lines: string[] = [];
  new OutputLines(line => lines.push(line)).push('x'.repeat(20_000));
  assert.equal(lines.join('').length, 20_000);
});
