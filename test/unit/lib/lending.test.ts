import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { borrow, lend } from '../../../src/lib/lending.ts';
import { nextTurn } from '../../../src/lib/turn.ts';

/** A source that has one piece of memory, as a socket with `onread`. */
class Lender extends Readable {
  private readonly memory = Buffer.alloc(4);

  override _read(): void {}

  say(text: string): boolean {
    return lend(this, this.memory.subarray(0, this.memory.write(text)));
  }
}

/** Keeps texts as they are when a piece comes, and the pieces. */
function listener() {
  const texts: string[] = [];
  const pieces: Buffer[] = [];
  return { texts, pieces, take: (piece: Buffer) => void (texts.push(piece.toString()), pieces.push(piece)) };
}

test('whoever listens can keep what comes', async () => {
  const source = new Lender();
  const { pieces, take } = listener();
  source.on('data', take);
  await nextTurn();
  for (const text of ['one', 'two', 'six']) source.say(text);
  await nextTurn();
  assert.equal(Buffer.concat(pieces).toString(), 'onetwosix');
});

test('whoever borrows gets the memory itself', async () => {
  const source = new Lender();
  const { texts, pieces, take } = listener();
  borrow(source, take);
  await nextTurn();
  assert.ok(source.say('one'));
  assert.ok(source.say('two'));
  assert.deepEqual(texts, ['one', 'two']);
  assert.equal(pieces[0]?.buffer, pieces[1]?.buffer);
});

test('what comes while the borrower pauses is kept, and comes before what is lent then', async () => {
  const source = new Lender();
  const { texts, take } = listener();
  borrow(source, take);
  await nextTurn();
  source.pause();
  source.say('one');
  source.say('two');
  source.resume();
  source.say('six');
  await nextTurn();
  source.say('ten');
  assert.equal(texts.join(''), 'onetwosixten');
});

test('a borrower that pauses is told as no room, and so is a full buffer', async () => {
  const source = new Lender({ highWaterMark: 4 });
  borrow(source, () => source.pause());
  await nextTurn();
  assert.equal(source.say('one'), false);
  assert.equal(source.say('two'), true);
  assert.equal(source.say('six'), false);
});
