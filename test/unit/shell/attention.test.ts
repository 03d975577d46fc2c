import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'node:test';
import { Attention } from '../../../src/shell/attention.ts';

function watched(lingerMs: number) {
  const seen = { needed: false, is: 'idle', stops: 0 };
  const attention = new Attention({
    isNeeded: () => seen.needed,
    start: () => (seen.is = 'watching'),
    stop: () => {
      seen.is = 'idle';
      seen.stops += 1;
    },
    lingerMs,
  });
  return { seen, attention };
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !condition(); i++) await delay(10);
  assert.ok(condition());
}

test('Attention: stops once after nobody looks any more', async () => {
  const { seen, attention } = watched(5);
  seen.needed = true;
  attention.update();
  assert.equal(seen.is, 'watching');
  seen.needed = false;
  attention.update();
  attention.update();
  assert.equal(seen.is, 'watching', 'it lingers');
  await until(() => seen.is === 'idle');
  assert.equal(seen.stops, 1);
});

test('Attention: a look in time goes on without a stop', async () => {
  const { seen, attention } = watched(20);
  seen.needed = true;
  attention.update();
  seen.needed = false;
  attention.update();
  seen.needed = true;
  attention.update();
  await delay(40);
  assert.deepEqual([seen.is, seen.stops], ['watching', 0]);
  attention.dispose();
});

test('Attention: who asks once is served for a while', async () => {
  const { seen, attention } = watched(5);
  attention.touch();
  assert.equal(seen.is, 'watching');
  await until(() => seen.is === 'idle');
});
