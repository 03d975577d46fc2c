import assert from 'node:assert/strict';
import test from 'node:test';
import { LineSplitter, utf8Of } from '../../../src/lib/lines.ts';

const text = 'first\n\nsecond é🙂 line\nthird\nrest';
const want = ['first', 'second é🙂 line', 'third'];

test('lines: cut at every place they are the same', () => {
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const splitter = new LineSplitter();
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      lines.push(...splitter.push(bytes.subarray(at, at + size)).map(utf8Of));
    assert.deepEqual(lines, want, `in pieces of ${size}`);
    assert.ok(splitter.isInsideLine);
  }
});

test('lines: one that does not end is not held for ever', () => {
  const splitter = new LineSplitter(100);
  assert.deepEqual(splitter.push(Buffer.from('x'.repeat(60))), []);
  assert.throws(() => splitter.push(Buffer.from('x'.repeat(60))), RangeError);
});
