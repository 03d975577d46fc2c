import assert from 'node:assert/strict';
import test from 'node:test';
import { EventLog } from '../../../src/core/eventLog.ts';
import type { DebugEvent, State } from '../../../src/core/model.ts';
import { runRowsOf } from '../../../src/core/runRows.ts';
import type { RunState } from '../../../src/core/runState.ts';
import { rowAt, rowsOf } from '../../../src/core/selectors.ts';
import type { AnnouncedPort, Progress, Reported, SkaffoldFact } from '../../../src/core/skaffold.ts';
import { Store } from '../../../src/core/store.ts';
import { container, exited } from '../../support/containers.ts';
import { recorded, recordedSource as source } from '../../support/recordings.ts';

const stateAfter = (events: readonly DebugEvent[]): State => {
  const store = new Store(new EventLog(() => new Date(0)));
  for (const event of events) store.apply(event);
  return store.state;
};
const says = (...facts: SkaffoldFact[]): DebugEvent => ({ kind: 'skaffold', source, facts });
const seen = (...parts: Parameters<typeof container>): DebugEvent => ({
  kind: 'seen',
  source: 'pods',
  container: container(...parts),
});
const watching: DebugEvent = { kind: 'source', source: 'pods', state: { kind: 'watching' } };
const reading: DebugEvent = { kind: 'source', source, state: { kind: 'watching' } };
const drained: DebugEvent = { kind: 'drained', source, drain: { events: 0, ms: 0, outcome: 'complete' } };
const about: SkaffoldFact = { kind: 'about', about: { port: 50_051, origin: 'launched', name: 'shop' } };
const failure = { code: 'x', message: 'It broke.', actions: [] };
const runId = (id: string): SkaffoldFact => ({ kind: 'run', id });
const newRun: SkaffoldFact = { kind: 'run', isNew: true };
const reported: Reported = {
  ...{ namespace: 'shop', pod: 'web-7d9c-x1', container: 'web', artifact: 'shop-web' },
  ...{ runtime: 'nodejs', workingDir: '/app', ports: { devtools: 9229 } },
};
const started = (parts: Partial<Reported> = {}): SkaffoldFact => ({
  kind: 'debugging',
  status: 'Started',
  reported: { ...reported, ...parts },
});
const at = (task: string, status: Progress['status'], subject = '', message?: string): SkaffoldFact => ({
  kind: 'progress',
  progress: {
    ...{ task, subject, status },
    ...(message ? { problem: { code: 'C', message, suggestions: ['Try this.', 'Or that.'] } } : {}),
  },
});

const runsAfter = (events: readonly DebugEvent[]) => {
  const state = stateAfter(events);
  return runRowsOf(state, rowsOf(state));
};
const wordOf = (state: RunState): string =>
  'step' in state
    ? `${state.kind} ${[state.step.task, state.step.subject].filter(Boolean).join(' ')}`.trim()
    : state.kind;

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

const rows: { name: string; given: DebugEvent[]; want: string[] }[] = [
  {
    name: 'H65: Skaffold is silent about a container of its run',
    given: [watching, seen({ runId: 'r1' }), reading, says(runId('r1'))],
    want: ['ready, attachable, of the run, seen by pods'],
  },
  {
    name: 'the run has another id since skaffold.yaml was saved: both are its own',
    given: [
      watching,
      seen({ runId: 'r1' }),
      seen({ runId: 'r2', podUid: 'u2', pod: 'web-2' }),
      reading,
      says(runId('r1'), newRun, runId('r2')),
    ],
    want: ['ready, attachable, of the run, seen by pods', 'ready, attachable, of the run, seen by pods'],
  },
  {
    name: 'of another run, and of none',
    given: [watching, seen({ runId: 'other' }), seen({ podUid: 'u2', pod: 'web-2' }), reading, says(runId('r1'))],
    want: ['ready, attachable, seen by pods', 'ready, attachable, seen by pods'],
  },
  {
    name: 'both report it, label or not',
    given: [watching, seen(), reading, says(started())],
    want: [`ready, attachable, of the run, seen by pods ${source}`],
  },
  {
    name: 'the watch has seen it end, Skaffold not',
    given: [watching, seen({ phase: exited(1) }), reading, says(started())],
    want: [
      `ended, of the run, seen by pods ${source}, but Skaffold says that it runs, and the pod watch has seen that it does not.`,
    ],
  },
  {
    name: 'the watch does not have it',
    given: [watching, reading, says(started())],
    want: [`ended, of the run, seen by ${source}, but Skaffold says that it runs, and the pod watch does not have it.`],
  },
  {
    name: 'nobody watches its namespace',
    given: [{ kind: 'source', source: 'pods/other of dev', state: { kind: 'watching' } }, reading, says(started())],
    want: [`starting, of the run, seen by ${source}`],
  },
  {
    name: 'Skaffold misses ends while it deploys: what it reported before is gone with its pod',
    given: [watching, reading, says(started(), at('Deploy', 'running'))],
    want: [],
  },
  {
    name: 'H67: a forward of Skaffold is no debug port',
    given: [
      watching,
      seen(),
      reading,
      says(started(), port({ pod: reported.pod, namespace: 'shop', container: 'web', localPort: 5 })),
    ],
    want: [`ready, attachable, of the run, seen by pods ${source}, announced 5 to 9229`],
  },
];

function port(parts: Partial<AnnouncedPort>): SkaffoldFact {
  const base = {
    localPort: 9300,
    remotePort: 9229,
    namespace: '',
    pod: '',
    container: 'shop-web',
    resource: 'container',
  };
  return { kind: 'port', port: { ...base, ...parts } };
}

for (const { name, given, want } of rows)
  test(`rows of Skaffold: ${name}`, () => {
    const shown = rowsOf(stateAfter(given)).map(row =>
      [
        row.state,
        row.isAttachable && 'attachable',
        row.run === source && 'of the run',
        `seen by ${row.seenBy.join(' ')}`,
        row.disagreement && `but ${row.disagreement}`,
        ...(row.announced ?? []).map(({ localPort, remotePort }) => `announced ${localPort} to ${remotePort}`),
      ]
        .filter(Boolean)
        .join(', '),
    );
    assert.deepEqual(shown, want);
  });

const inDocker = started({ namespace: '', pod: '', container: 'shop-web:v1' });

const docker: { name: string; given: DebugEvent[]; want: string[] }[] = [
  { name: 'no port yet', given: [says(inDocker)], want: ['not-debuggable undefined'] },
  { name: 'at its published port', given: [says(inDocker), says(port({}))], want: ['ready 127.0.0.1:9300'] },
  { name: 'the port first', given: [says(port({}), inDocker)], want: ['ready 127.0.0.1:9300'] },
  {
    name: 'the port of another artifact',
    given: [says(inDocker, port({ container: 'other' }))],
    want: ['not-debuggable undefined'],
  },
  { name: 'another port', given: [says(inDocker, port({ remotePort: 80 }))], want: ['not-debuggable undefined'] },
  {
    name: 'ended',
    given: [
      says(inDocker, port({})),
      says({ ...(inDocker as Extract<SkaffoldFact, { kind: 'debugging' }>), status: 'Terminated' }),
    ],
    want: [],
  },
  { name: 'Skaffold has ended', given: [says(inDocker, port({})), drained], want: [] },
  { name: 'another runner', given: [says(inDocker, port({})), says(newRun)], want: [] },
];

for (const { name, given, want } of docker)
  test(`containers in Docker: ${name}`, () => {
    const state = stateAfter([watching, reading, ...given]);
    const shown = rowsOf(state).map(
      row =>
        `${row.state} ${row.container.direct ? `${row.container.direct.host}:${row.container.direct.port}` : undefined}`,
    );
    assert.deepEqual(shown, want);
    assert.equal(state.lives.size, want.length, 'it lives as long as its row');
  });

test('a container in Docker has sessions and failures as others have', () => {
  const state = stateAfter([reading, says(inDocker, port({}))]);
  const [{ container: one }] = rowsOf(state) as [ReturnType<typeof rowsOf>[number]];
  const failed = stateAfter([reading, says(inDocker, port({})), { kind: 'attach-failed', slot: one.slot, failure }]);
  assert.equal(rowAt(failed, one.slot)?.failure?.message, 'It broke.');
  assert.equal(rowAt(failed, one.slot)?.run, source);
});

const artifacts: SkaffoldFact = {
  kind: 'run',
  id: 'r1',
  artifacts: ['shop-web', 'reg.io/shop/orders'].map(name => ({ name, builder: 'CUSTOM', context: '.' })),
};
const deployed = at('Deploy', 'succeeded');

const built: { name: string; given: DebugEvent[]; want: string[] }[] = [
  { name: 'before the deploy', given: [watching, says(artifacts)], want: [] },
  { name: 'nobody watches', given: [says(artifacts, deployed)], want: [] },
  {
    name: 'nothing is seen of it',
    given: [watching, says(artifacts, deployed)],
    want: [
      'shop-web: No debuggable container of this run has been seen in the namespaces that are watched.',
      'reg.io/shop/orders: No debuggable container of this run has been seen in the namespaces that are watched.',
    ],
  },
  {
    name: 'one is there, by its annotation or by its image',
    given: [watching, seen({ runId: 'r1', image: 'r/shop-web:1' }), says(artifacts, deployed)],
    want: ['reg.io/shop/orders: No pod of this run has it set up for debugging, and Skaffold does not say why.'],
  },
  {
    name: 'Skaffold reports one, and has said why the other is not set up',
    given: [
      watching,
      says(started(), artifacts, deployed, {
        kind: 'not-configured',
        image: '127.0.0.1:5000/reg_io_shop_orders:v1@sha256:1',
        reason: 'unable to determine runtime',
      }),
    ],
    want: ['reg.io/shop/orders: Skaffold has not set it up for debugging: unable to determine runtime.'],
  },
  { name: 'while it deploys again', given: [watching, says(artifacts, deployed, at('Deploy', 'running'))], want: [] },
];

for (const { name, given, want } of built)
  test(`built, not debuggable: ${name}`, () =>
    assert.deepEqual(
      runsAfter([reading, ...given]).flatMap(run =>
        run.undebuggable.map(({ artifact, reason }) => `${artifact}: ${reason}`),
      ),
      want,
    ));

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
