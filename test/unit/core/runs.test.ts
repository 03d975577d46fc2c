import assert from 'node:assert/strict';
import test from 'node:test';
import type { DebugEvent } from '../../../src/core/model.ts';
import { container } from '../../support/containers.ts';
import { recorded, recordedSource as source } from '../../support/recordings.ts';
import {
  about,
  at,
  drained,
  failure,
  reading,
  runId,
  runsAfter,
  says,
  seen,
  started,
  stateAfter,
  watching,
  wordOf,
} from './skaffoldSays.ts';

const states: { name: string; given: DebugEvent[]; want: string[]; steps?: string[] }[] = [
  { name: 'nothing but its name', given: [says(about), reading], want: ['starting'] },
  {
    name: 'found, and nobody reads it',
    given: [says({ kind: 'about', about: { port: 50_051, origin: 'found', name: 'shop' } })],
    want: ['offered'],
  },
  {
    name: 'a build of two, of which one is over',
    given: [
      reading,
      says(
        at('DevLoop', 'running'),
        at('Build', 'running'),
        at('Build', 'succeeded', 'a'),
        at('Build', 'running', 'b'),
      ),
    ],
    want: ['working Build b'],
    steps: ['Build b running'],
  },
  {
    name: 'a status check is part of its deploy',
    given: [reading, says(at('Deploy', 'running'), at('StatusCheck', 'running'))],
    want: ['working StatusCheck'],
    steps: ['StatusCheck  running', 'Deploy  running'],
  },
  {
    name: 'a pod whose check is never told to be over',
    given: [
      reading,
      says(at('StatusCheck', 'running', 'pod/a'), at('StatusCheck', 'succeeded'), at('Deploy', 'succeeded')),
    ],
    want: ['running'],
    steps: [],
  },
  {
    name: 'a build that fails',
    given: [
      reading,
      says(
        at('Build', 'failed', 'web', 'no'),
        at('Build', 'failed', '', 'build [web]: no'),
        at('DevLoop', 'failed', '', 'no'),
      ),
    ],
    want: ['failed Build web'],
    steps: ['Build web failed: no Try this. Or that.'],
  },
  {
    name: 'a status check that fails, and its deploy with it',
    given: [
      reading,
      says(
        ...[at('Deploy', 'running'), at('StatusCheck', 'failed', 'deployment/web', 'no')],
        ...[at('StatusCheck', 'failed'), at('Deploy', 'failed', '', 'no'), at('DevLoop', 'failed', '', 'no')],
      ),
    ],
    want: ['failed StatusCheck deployment/web'],
    steps: ['StatusCheck deployment/web failed: no Try this. Or that.'],
  },
  {
    name: 'nothing but the iteration has failed',
    given: [reading, says(at('DevLoop', 'failed', '', 'no'))],
    want: ['failed DevLoop'],
  },
  {
    name: 'the next iteration forgets it',
    given: [reading, says(at('Build', 'failed', 'web', 'no'), at('DevLoop', 'failed'), at('DevLoop', 'running'))],
    want: ['starting'],
    steps: [],
  },
  {
    name: 'a helm that is not there',
    given: [reading, says({ kind: 'termination', problem: { code: 'C', message: 'no helm', suggestions: [] } })],
    want: ['failed'],
    steps: ['  failed: no helm'],
  },
  { name: 'asked to end', given: [reading, says(about, started(), { kind: 'ending' })], want: ['stopping'] },
  {
    name: 'lost',
    given: [says(about), { kind: 'source', source, state: { kind: 'retrying', failure, retryMs: 1 } }],
    want: ['lost'],
  },
  { name: 'ended well', given: [reading, says(about, started()), drained], want: [] },
  {
    name: 'ended, and its containers run on',
    given: [watching, seen({ runId: 'r1' }), reading, says(about, runId('r1')), drained],
    want: ['ended'],
  },
  {
    name: 'how it failed stays to be seen after its end',
    given: [reading, says(about, at('Build', 'failed', 'web', 'no')), drained, { kind: 'source-removed', source }],
    want: ['failed Build web'],
  },
  {
    name: 'until it is dismissed',
    given: [reading, says(about, at('Build', 'failed', 'web', 'no')), drained, { kind: 'dismissed', source }],
    want: [],
  },
  {
    name: 'until the next one starts',
    given: [
      reading,
      says(at('Build', 'failed', 'web', 'no')),
      drained,
      { kind: 'skaffold', source: 'skaffold:2', facts: [about] },
    ],
    want: ['starting'],
  },
  {
    name: 'until the next one is read at its port',
    given: [
      reading,
      says(at('Build', 'failed', 'web', 'no')),
      drained,
      { kind: 'source', source, state: { kind: 'connecting' } },
    ],
    want: [],
  },
];

for (const { name, given, want, steps } of states)
  test(`runs: ${name}`, () => {
    const runs = runsAfter(given);
    assert.deepEqual(
      runs.map(({ state }) => wordOf(state)),
      want,
    );
    if (steps)
      assert.deepEqual(
        runs[0]!.steps.map(
          ({ task, subject, status, failure: f }) =>
            `${task} ${subject} ${status}${f ? `: ${[f.message, f.remedy].filter(Boolean).join(' ')}` : ''}`,
        ),
        steps,
      );
  });

const moments: { until: string; want: string; rows: number }[] = [
  { until: '20:59:23.1', want: 'starting', rows: 0 },
  { until: '20:59:24', want: 'working Build shop-stock', rows: 0 },
  { until: '20:59:35', want: 'working StatusCheck pod/web-54c586ff7c-jmhp7', rows: 0 },
  { until: '20:59:40', want: 'running', rows: 0 },
  { until: '21:00:10', want: 'running', rows: 0 },
  { until: '21:00:15.4', want: 'working Build shop-web', rows: 0 },
  { until: '21:00:30', want: 'running', rows: 3 },
  { until: '21:01:00', want: 'failed Build shop-orders', rows: 3 },
  { until: '99', want: 'stopping', rows: 3 },
];

for (const { until, want, rows: count } of moments)
  test(`recorded: a run on a real node until ${until}`, () => {
    const [run] = runsAfter([reading, ...recorded('real-node-three-runtimes', until)]);
    assert.equal(wordOf(run!.state), want);
    assert.equal(run!.rows.length, count);
  });

test('recorded: what failed is on its row with the words of Skaffold, and stays when Skaffold has ended', () => {
  const [run] = runsAfter([reading, ...recorded('real-node-three-runtimes'), drained]);
  assert.equal(wordOf(run!.state), 'failed Build shop-orders');
  assert.equal(run!.steps.length, 1);
  assert.match(run!.steps[0]!.failure!.message, /^maven build failed: exit status 1/);
});

test('recorded: H65, the watch sees the containers of the run before Skaffold speaks of them', () => {
  const events = recorded('real-node-three-runtimes', '21:00:10');
  const id = stateAfter(events).skaffold.get(source)!.ids[0]!;
  const web = container({ runId: id, namespace: 'default', detection: { artifact: 'shop-web' } });
  const [run] = runsAfter([watching, { kind: 'seen', source: 'pods', container: web }, reading, ...events]);
  assert.deepEqual(
    run!.rows.map(row => [row.state, row.isAttachable, row.seenBy, row.disagreement]),
    [['ready', true, ['pods'], undefined]],
  );
  assert.deepEqual(
    run!.undebuggable.map(({ artifact }) => artifact),
    ['shop-orders', 'shop-stock'],
  );
});
