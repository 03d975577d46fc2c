import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { merge } from '../../../src/lib/merge.ts';

async function* source(...values: string[]) {
  for (const value of values) {
    await turn();
    yield value;
  }
}

const collect = async (values: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const value of values) all.push(value);
  return all;
};

test('merge: everything of every source, each in its order', async () => {
  const all = await collect(merge([source('a1', 'a2', 'a3'), source(), source('b1', 'b2')]));
  assert.deepEqual(
    all.filter(value => value.startsWith('a')),
    ['a1', 'a2', 'a3'],
  );
  assert.deepEqual(
    all.filter(value => value.startsWith('b')),
    ['b1', 'b2'],
  );
  assert.equal(all.length, 5);
});

test('merge: no source at all', async () => assert.deepEqual(await collect(merge([])), []));

test('merge: throws what a source throws, after what came before', async () => {
  async function* failing() {
    yield 'last words';
    throw new Error('broken');
  }
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const value of merge([failing()])) seen.push(value);
  }, /broken/);
  assert.deepEqual(seen, ['last words']);
});

test('merge: a source waits until its value was taken, and is ended when the consumer leaves', async () => {
  let made = 0;
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield String(made++);
    } finally {
      isEnded = true;
    }
  }
  for await (const value of merge([endless()])) {
    for (let n = 0; n < 5; n++) await turn();
    assert.equal(made, Number(value) + 1);
    if (made === 3) break;
  }
  for (let n = 0; n < 5; n++) await turn();
  assert.ok(isEnded);
});
