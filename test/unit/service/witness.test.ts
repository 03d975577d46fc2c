import assert from 'node:assert/strict';
import test from 'node:test';
import { Witness } from '../../../src/service/witness.ts';

type Source = 'pods' | 'skaffold:1' | 'skaffold:2';
/** `watched`: the pod watch has the container at that moment. */
type Word = readonly [source: Source, status: 'Started' | 'Terminated', isTold: boolean, watched?: 'watched'];

const cases: { name: string; said: readonly Word[] }[] = [
  {
    name: 'the watch alone',
    said: [
      ['pods', 'Started', true, 'watched'],
      ['pods', 'Terminated', true, 'watched'],
      ['pods', 'Started', true, 'watched'],
    ],
  },
  {
    name: 'Skaffold alone, which repeats itself when a process is new',
    said: [
      ['skaffold:1', 'Started', true],
      ['skaffold:1', 'Started', true],
      ['skaffold:1', 'Terminated', true],
    ],
  },
  {
    name: 'the watch first',
    said: [
      ['pods', 'Started', true, 'watched'],
      ['skaffold:1', 'Started', false, 'watched'],
    ],
  },
  {
    name: 'Skaffold first',
    said: [
      ['skaffold:1', 'Started', true],
      ['pods', 'Started', false, 'watched'],
      ['skaffold:1', 'Terminated', false, 'watched'],
      ['pods', 'Terminated', true, 'watched'],
    ],
  },
  {
    name: 'a restart in place that Skaffold misses',
    said: [
      ['pods', 'Started', true, 'watched'],
      ['skaffold:1', 'Started', false, 'watched'],
      ['pods', 'Terminated', true, 'watched'],
      ['pods', 'Started', true, 'watched'],
      ['skaffold:1', 'Terminated', false, 'watched'],
    ],
  },
  {
    name: 'Skaffold first, and the watch sees only the end',
    said: [
      ['skaffold:1', 'Started', true],
      ['pods', 'Terminated', true, 'watched'],
      ['pods', 'Started', true, 'watched'],
    ],
  },
  {
    name: 'another namespace is chosen meanwhile, and Skaffold goes on',
    said: [
      ['pods', 'Started', true, 'watched'],
      ['skaffold:1', 'Started', false],
      ['skaffold:1', 'Terminated', true],
      ['skaffold:1', 'Started', true],
    ],
  },
  {
    name: 'Skaffold tells the end first, and the watch later',
    said: [
      ['skaffold:1', 'Started', true],
      ['pods', 'Started', false, 'watched'],
      ['skaffold:1', 'Terminated', true],
      ['pods', 'Terminated', false],
    ],
  },
  {
    name: 'two Skaffolds tell of one container',
    said: [
      ['skaffold:1', 'Started', true],
      ['skaffold:2', 'Started', false],
      ['skaffold:1', 'Terminated', false],
      ['skaffold:2', 'Terminated', true],
    ],
  },
  { name: 'an end whose start is not known', said: [['pods', 'Terminated', true, 'watched']] },
];

for (const { name, said } of cases)
  test(`each start and end is told once: ${name}`, () => {
    let isWatched = false;
    const witness = new Witness({ isWatched: () => isWatched });
    for (const [number, [source, status, isTold, watched]] of said.entries()) {
      isWatched = watched !== undefined;
      const body = { status, podName: 'web-1', containerName: 'web', namespace: 'shop' };
      const record = {
        ...{ kind: 'debuggingContainerEvent', source, entry: '', time: '', number, body },
        level: 'info',
      } as const;
      assert.equal(witness.isNews(record), isTold, `${source} ${status}`);
    }
  });

const isWatched = () => false;

test('what else is said is told, whoever says it', () => {
  const witness = new Witness({ isWatched });
  for (const source of ['pods', 'skaffold:1'])
    assert.ok(witness.isNews({ kind: 'portEvent', source, level: 'info', entry: '', time: '', number: 1, body: {} }));
});

const meta = (source: string, additional: object) =>
  ({
    kind: 'metaEvent',
    source,
    level: 'info',
    entry: '',
    time: '',
    number: 1,
    body: { metadata: { additional } },
  }) as const;
const notice = (source: string) =>
  ({ kind: 'noticeEvent', source, level: 'info', entry: '', time: '', number: 1, body: {} }) as const;

test('what the service of a Breakpod has said is not said again, until a Skaffold has its port', () => {
  const witness = new Witness({ isWatched });
  assert.ok(witness.isNews(notice('skaffold:1')));
  assert.ok(!witness.isNews(meta('skaffold:1', { breakpod: '0.1.0' })));
  assert.ok(!witness.isNews(notice('skaffold:1')));
  assert.ok(witness.isNews(notice('skaffold:2')));
  assert.ok(witness.isNews(meta('skaffold:1', {})));
  assert.ok(witness.isNews(notice('skaffold:1')));
});

test('a service that was read before is known as one', () => {
  assert.ok(!new Witness({ isWatched, relays: ['skaffold:1'] }).isNews(notice('skaffold:1')));
});
