import assert from 'node:assert/strict';
import test from 'node:test';
import { History, type HistoryLimits } from '../../../src/service/history.ts';
import type { Item } from '../../../src/service/wire.ts';

const limits: HistoryLimits = { replayed: 5, kept: 10, bytes: 1 << 20 };

const itemOf = (text: string): Item => ({ line: Buffer.from(text), message: Buffer.alloc(0) });

const textsOf = (items: readonly Item[]) => items.map(({ line }) => line.toString());

/** What a reader gets that comes now. */
function replay(history: History): string[] {
  const texts: string[] = [];
  for (let at = history.begin; at < history.next;) {
    const items = history.from(at);
    texts.push(...textsOf(items));
    at += items.length;
  }
  return texts;
}

function fill(history: History, count: number, bytes = 1): void {
  for (let i = 0; i < count; i++) history.add(itemOf('x'.repeat(bytes)));
}

test('a new reader gets the last events, an old one those that are kept', () => {
  const history = new History(limits);
  for (let i = 0; i < 3000; i++) history.add(itemOf(String(i)));
  assert.deepEqual(replay(history), ['2995', '2996', '2997', '2998', '2999']);
  assert.equal(history.next, 3000);
  assert.ok(history.has(2990));
  assert.ok(!history.has(2989));
  assert.deepEqual(textsOf(history.from(2990))[0], '2990');
});

test('few large events count as many small ones', () => {
  const history = new History({ ...limits, bytes: 1000 });
  fill(history, 4, 200);
  assert.equal(replay(history).length, 2);
  assert.ok(history.has(0));
  fill(history, 2, 200);
  assert.ok(!history.has(0));
});

test('one that is larger than all limits is let go, and the next ones are there', () => {
  const history = new History({ ...limits, bytes: 1000 });
  fill(history, 1, 5000);
  assert.deepEqual(replay(history), []);
  fill(history, 1, 10);
  assert.deepEqual(replay(history), ['x'.repeat(10)]);
});

test('a batch has a limit of bytes, and one event at least', () => {
  const history = new History({ ...limits, bytes: 1 << 30 });
  fill(history, 3, 300_000);
  assert.equal(history.from(0).length, 1);
});
