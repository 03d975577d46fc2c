import assert from 'node:assert/strict';
import test from 'node:test';
import { Liveness } from '../../../../src/cluster/forward/liveness.ts';

const PING_MS = 5000;

const cases: {
  name: string;
  heardAt?: readonly number[];
  busyUntil?: number;
  deadAfter?: number;
  pings: number;
  isAway?: boolean;
}[] = [
  { name: 'silence', deadAfter: 6, pings: 5 },
  { name: 'each ping is answered', heardAt: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], pings: 12 },
  { name: 'one byte starts the count again', heardAt: [4], deadAfter: 9, pings: 8 },
  { name: 'busy: silence proves nothing', busyUntil: 12, pings: 0 },
  { name: 'busy and silent, and the server is away', busyUntil: 12, isAway: true, deadAfter: 6, pings: 0 },
  { name: 'silence after it was busy', busyUntil: 3, deadAfter: 9, pings: 5 },
];

for (const { name, heardAt = [], busyUntil = 0, deadAfter, pings, isAway } of cases)
  test(name, async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let beat = 0;
    let heard = 0;
    let sent = 0;
    let dead: number | undefined;
    const liveness = new Liveness(
      {
        heard: () => heard,
        busy: () => beat <= busyUntil,
        ping: () => sent++,
        reach: async () => {
          if (isAway) throw new Error('away');
        },
        onDead: () => {
          dead = beat;
          liveness.dispose();
        },
      },
      { pingMs: PING_MS, deadPings: 5 },
    );
    for (beat = 1; beat <= 12; beat++) {
      if (heardAt.includes(beat)) heard++;
      t.mock.timers.tick(PING_MS);
      await Promise.resolve();
      await Promise.resolve();
    }
    liveness.dispose();
    assert.equal(dead, deadAfter);
    assert.equal(sent, pings);
  });
