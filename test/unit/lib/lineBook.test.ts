import assert from 'node:assert/strict';
import test from 'node:test';
import { LineBook } from '../../../src/lib/lineBook.ts';

test('the last lines of each writer are kept, in order', () => {
  const book = new LineBook(3);
  for (let n = 0; n < 20; n++) book.add('a', [`a${n}`]);
  book.add('b', ['b0', 'b1']);
  assert.deepEqual(book.of('a'), ['a17', 'a18', 'a19']);
  assert.deepEqual(book.of('b'), ['b0', 'b1']);
  assert.deepEqual(book.of('c'), []);
});

test('of too many writers the first is forgotten', () => {
  const book = new LineBook(3, 2);
  for (const writer of ['a', 'b', 'c']) book.add(writer, [writer]);
  assert.deepEqual(
    ['a', 'b', 'c'].map(writer => book.of(writer).length),
    [0, 1, 1],
  );
});
