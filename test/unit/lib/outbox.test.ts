import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import test from 'node:test';
import { Outbox } from '../../../src/lib/outbox.ts';
import { nextTurn } from '../../../src/lib/turn.ts';

/** Keeps what is written until it is asked to have written it. */
class Slow extends Writable {
  readonly writes: Buffer[] = [];
  private waiting: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk);
    this.waiting = done;
  }

  async finishOne(): Promise<void> {
    const done = this.waiting;
    this.waiting = undefined;
    done?.();
    await nextTurn();
  }
}

const letters = (letter: string, bytes: number) => Buffer.alloc(bytes, letter);

test('what comes within a turn is written at once', async () => {
  const target = new Slow();
  const outbox = new Outbox(target);
  for (const text of ['one', 'two', 'six']) outbox.add(Buffer.from(text));
  assert.deepEqual(target.writes, []);
  await nextTurn();
  assert.deepEqual(target.writes.map(String), ['onetwosix']);
});

test('a piece that is overwritten after it was given arrives as it was', async () => {
  const target = new Slow();
  const outbox = new Outbox(target);
  const piece = letters('a', 4);
  outbox.add(piece);
  piece.fill('b');
  outbox.add(piece);
  outbox.send();
  assert.deepEqual(target.writes.map(String), ['aaaabbbb']);
});

test('memory is not used again before it was written, however slow that is', async () => {
  const target = new Slow({ highWaterMark: 1 << 20 });
  const outbox = new Outbox(target);
  const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(letter => letters(letter, 50_000));
  for (const text of texts) {
    outbox.add(text);
    await nextTurn();
  }
  const seen: Buffer[] = [];
  for (let count = 0; seen.length < texts.length * 50_000 && count < 100; count++) {
    seen.push(...target.writes.splice(0).map(chunk => Buffer.from(chunk)));
    await target.finishOne();
  }
  assert.deepEqual(Buffer.concat(seen), Buffer.concat(texts));
});

test('memory is used again after it was written', async () => {
  const target = new Slow();
  const outbox = new Outbox(target);
  for (let count = 0; count < 3; count++) {
    outbox.add(letters('a', 10));
    await nextTurn();
    await target.finishOne();
  }
  assert.equal(new Set(target.writes.map(({ buffer }) => buffer)).size, 1);
});

test('a piece larger than a write is cut, and a full target says so until it drains', async () => {
  const target = new Slow();
  const outbox = new Outbox(target);
  assert.equal(outbox.add(letters('a', 200_000)), false);
  const drained = new Promise(resolve => target.once('drain', resolve));
  await nextTurn();
  const seen: Buffer[] = [];
  while (seen.reduce((sum, { length }) => sum + length, 0) < 200_000) {
    seen.push(...target.writes.splice(0).map(chunk => Buffer.from(chunk)));
    await target.finishOne();
  }
  assert.deepEqual(Buffer.concat(seen), letters('a', 200_000));
  await drained;
  assert.equal(outbox.add(letters('a', 1)), true);
});
