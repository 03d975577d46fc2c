import assert from 'node:assert/strict';
import test from 'node:test';
import { Pace, type Try } from '../../../../src/cluster/watch/pace.ts';

const short = { firstMs: 100, mostMs: 1000 };

const lost = { data: false, livedMs: 0, normal: false };
const hollow = { data: false, livedMs: 50_000, normal: false };
const lostAfterData = { data: true, livedMs: 5000, normal: false };
const ended = { data: true, livedMs: 5000, normal: true };
const endedAtOnce = { data: false, livedMs: 0, normal: true };
const oneEvent = { data: true, livedMs: 1, normal: true };
const quiet = { data: false, livedMs: 90_000, normal: true };
const expired = { data: false, livedMs: 0, normal: true, turns: true };

const cases: { name: string; tries: Try[]; limits?: typeof short; want: number[] }[] = [
  {
    name: 'waits double up to the cap',
    tries: [lost, lost, lost, lost, lost, lost],
    want: [100, 200, 400, 800, 1000, 1000],
  },
  { name: 'data resets them', tries: [lost, lost, lostAfterData, lost], want: [100, 200, 100, 200] },
  { name: 'a connection that was only open does not', tries: [lost, lost, hollow, lost], want: [100, 200, 400, 800] },
  { name: 'a normal end after data costs nothing', tries: [ended, ended, ended], want: [0, 0, 0] },
  { name: 'ends without data cost more and more', tries: [endedAtOnce, endedAtOnce, endedAtOnce], want: [0, 100, 200] },
  { name: 'so do ends after one event', tries: [oneEvent, oneEvent, oneEvent, oneEvent], want: [0, 100, 200, 400] },
  {
    name: 'a list in place of an expired version is not waited for, however long nobody answered',
    tries: [endedAtOnce, lost, lost, expired, lost],
    want: [0, 100, 200, 0, 400],
  },
  { name: 'versions that expire again and again are', tries: [expired, expired, expired], want: [0, 0, 100] },
  { name: 'a quiet watch is never waited for', tries: [quiet, quiet, quiet], want: [0, 0, 0] },
  {
    name: 'nobody answers: asked again within three seconds',
    tries: Array.from({ length: 9 }, () => ({ ...lost, cheap: true })),
    limits: { firstMs: 500, mostMs: 30_000 },
    want: [500, 1000, 2000, 3000, 3000, 3000, 3000, 3000, 3000],
  },
  {
    name: 'what the server asks for is kept',
    tries: [
      { ...lost, retryAfterMs: 5000 },
      { ...lost, retryAfterMs: 1 },
    ],
    want: [5000, 200],
  },
];

for (const { name, tries, limits = short, want } of cases)
  test(`pace: ${name}`, () => {
    const pace = new Pace(limits, () => 1);
    assert.deepEqual(
      tries.map(one => pace.after(one)),
      want,
    );
  });
