import assert from 'node:assert/strict';
import test from 'node:test';
import type { DebugEvent } from '../../../src/core/model.ts';
import { rowAt, rowsOf } from '../../../src/core/selectors.ts';
import type { SkaffoldFact } from '../../../src/core/skaffold.ts';
import { exited } from '../../support/containers.ts';
import { recordedSource as source } from '../../support/recordings.ts';
import {
  at,
  drained,
  failure,
  newRun,
  port,
  reading,
  reported,
  runId,
  runsAfter,
  says,
  seen,
  started,
  stateAfter,
  watching,
} from './skaffoldSays.ts';

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
