import assert from 'node:assert/strict';
import test from 'node:test';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import type { DebugEvent } from '../../../src/core/model.ts';
import { Store } from '../../../src/core/store.ts';

const many = 10_000;

async function* replay(): AsyncGenerator<DebugEvent, void, void> {
  for (let n = 0; n < many; n++) yield { kind: 'notice', source: 'replay', level: 'info', text: `event ${n}` };
}

test('a long replay that is all there at once lets others have their turns, and loses nothing', async () => {
  const log = new EventLog(() => new Date(0), many);
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await new Feed(replay, new Store(log), error => assert.fail(String(error))).done;
  clearImmediate(next);
  assert.ok(turns >= many / 1000, `${turns} turns`);
  assert.deepEqual(
    log.records.map(({ entry }) => entry),
    Array.from({ length: many }, (_, n) => `event ${n}`),
  );
});

test('nothing comes after disposal, also when it happens between two turns', async () => {
  const log = new EventLog(() => new Date(0), many);
  const feed = new Feed(replay, new Store(log), error => assert.fail(String(error)));
  setImmediate(() => feed.dispose());
  await feed.done;
  const kept = log.records.length;
  assert.ok(kept > 0 && kept < many, `${kept} events`);
});
