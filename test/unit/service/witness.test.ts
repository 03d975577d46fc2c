import assert from 'node:assert/strict';
import test from 'node:test';
import { Witness } from '../../../src/service/witness.ts';

type Word = readonly [source: 'pods' | 'skaffold:1' | 'skaffold:2', status: 'Started' | 'Terminated', pod?: string];

/** What is said, in order, and which of it readers are told. */
const cases: { name: string; said: readonly Word[]; told: readonly boolean[] }[] = [
  {
    name: 'the watch alone',
    said: [
      ['pods', 'Started'],
      ['pods', 'Terminated'],
      ['pods', 'Started'],
    ],
    told: [true, true, true],
  },
  {
    name: 'Skaffold alone, which repeats itself when a process is new',
    said: [
      ['skaffold:1', 'Started'],
      ['skaffold:1', 'Started'],
      ['skaffold:1', 'Terminated'],
    ],
    told: [true, true, true],
  },
  {
    name: 'the watch first',
    said: [
      ['pods', 'Started'],
      ['skaffold:1', 'Started'],
    ],
    told: [true, false],
  },
  {
    name: 'Skaffold first',
    said: [
      ['skaffold:1', 'Started'],
      ['pods', 'Started'],
    ],
    told: [true, false],
  },
  {
    name: 'a restart in place that Skaffold misses',
    said: [
      ['pods', 'Started'],
      ['skaffold:1', 'Started'],
      ['pods', 'Terminated'],
      ['pods', 'Started'],
      ['skaffold:1', 'Terminated'],
    ],
    told: [true, false, true, true, false],
  },
  {
    name: 'Skaffold first, then restarts',
    said: [
      ['skaffold:1', 'Started'],
      ['pods', 'Started'],
      ['pods', 'Terminated'],
      ['pods', 'Started'],
      ['pods', 'Terminated'],
    ],
    told: [true, false, true, true, true],
  },
  {
    name: 'Skaffold first, and the watch sees only the end',
    said: [
      ['skaffold:1', 'Started'],
      ['pods', 'Terminated'],
      ['pods', 'Started'],
    ],
    told: [true, true, true],
  },
  {
    name: 'another pod, which is not watched',
    said: [
      ['pods', 'Started'],
      ['skaffold:1', 'Started', 'b'],
      ['skaffold:2', 'Terminated', 'b'],
    ],
    told: [true, true, true],
  },
];

for (const { name, said, told } of cases)
  test(`each start and end is told once: ${name}`, () => {
    const witness = new Witness();
    const news = said.map(([source, status, podName = 'a'], number) =>
      witness.isNews({
        ...{ kind: 'debuggingContainerEvent', source, level: 'info', entry: '', time: '', number },
        body: { status, podName, containerName: 'web', namespace: 'shop' },
      }),
    );
    assert.deepEqual(news, told);
  });

test('what else is said is told, whoever says it', () => {
  const witness = new Witness();
  for (const source of ['pods', 'skaffold:1'])
    assert.ok(witness.isNews({ kind: 'portEvent', source, level: 'info', entry: '', time: '', number: 1, body: {} }));
});
