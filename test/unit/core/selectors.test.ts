import assert from 'node:assert/strict';
import test from 'node:test';
import type { DebugEvent, Session } from '../../../src/core/model.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { rowsOf, workloadsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import { container, exited, waiting } from '../../support/containers.ts';

const source = 'pods';
const web = container({ containerId: 'c1' });
const seen = (...parts: Parameters<typeof container>): DebugEvent => ({
  kind: 'seen',
  source,
  container: container(...parts),
});
const failure = { code: 'x', message: 'It broke.', actions: [] };
const session: Session = {
  id: 's1',
  slot: web.slot,
  instance: web.id,
  follow: web.follow,
  namespace: 'shop',
  pod: web.pod,
  container: 'web',
  name: 'web',
  localPort: 9229,
  paused: false,
};
const running = seen({ containerId: 'c1' });
const attached: DebugEvent = { kind: 'attached', sources: [], session };

const states: { name: string; given: DebugEvent[]; want: string[] }[] = [
  { name: 'running', given: [running], want: ['ready'] },
  {
    name: 'suspended is ready',
    given: [seen({ containerId: 'c1', detection: { verdict: 'suspended' } })],
    want: ['ready'],
  },
  { name: 'waiting', given: [seen({ phase: waiting('ContainerCreating') })], want: ['starting: ContainerCreating'] },
  {
    name: 'crash loop',
    given: [seen({ phase: waiting('CrashLoopBackOff'), last: { containerId: 'c0', exitCode: 1, reason: 'Error' } })],
    want: ['starting: CrashLoopBackOff; last run: Error, exit code 1'],
  },
  {
    name: 'H03: terminating',
    given: [seen({ phase: { kind: 'terminating' } })],
    want: ['terminating: its pod is being deleted'],
  },
  { name: 'ended', given: [seen({ phase: exited(137, 'OOMKilled') })], want: ['ended: OOMKilled, exit code 137'] },
  {
    name: 'a crash loop between two runs',
    given: [seen({ restarts: 3, phase: { kind: 'terminated', exitCode: 1, reason: 'Error', willRestart: true } })],
    want: ['starting: its last run ended (Error, exit code 1); it is started again, restart 4'],
  },
  {
    name: 'broken set-up',
    given: [seen({ detection: { verdict: 'not-debuggable', reason: 'server=n' } })],
    want: ['not-debuggable: server=n'],
  },
  { name: 'attaching', given: [running, { kind: 'attaching', slot: web.slot, step: 'forward' }], want: ['attaching'] },
  {
    name: 'waiting for the listener',
    given: [running, { kind: 'attaching', slot: web.slot, step: 'listener' }],
    want: ['waiting-for-listener'],
  },
  {
    name: 'what it waits for at the listener',
    given: [running, { kind: 'attaching', slot: web.slot, step: 'listener', waitsFor: 'npm holds the port.' }],
    want: ['waiting-for-listener: npm holds the port.'],
  },
  {
    name: 'at the next step nothing is waited for',
    given: [
      running,
      { kind: 'attaching', slot: web.slot, step: 'listener', waitsFor: 'npm holds the port.' },
      { kind: 'attaching', slot: web.slot, step: 'paths' },
    ],
    want: ['attaching'],
  },
  { name: 'failed', given: [running, { kind: 'attach-failed', slot: web.slot, failure }], want: ['ready! It broke.'] },
  {
    name: 'a failure goes with its run',
    given: [running, { kind: 'attach-failed', slot: web.slot, failure }, seen({ containerId: 'c2', restarts: 1 })],
    want: ['ready'],
  },
  { name: 'attached', given: [running, attached], want: ['attached'] },
  { name: 'paused', given: [running, attached, { kind: 'paused', sessionId: 's1', paused: true }], want: ['paused'] },
  { name: 'detached', given: [running, attached, { kind: 'detached', sessionId: 's1' }], want: ['ready'] },
  {
    name: 'restarted under the session',
    given: [running, attached, seen({ containerId: 'c2', restarts: 1 })],
    want: ['lost: the container was restarted'],
  },
  {
    name: 'a list again forgets no session',
    given: [running, attached, { kind: 'snapshot', source, containers: [web] }],
    want: ['attached'],
  },
  {
    name: 'the source is lost',
    given: [running, { kind: 'source', source, state: { kind: 'retrying', failure, retryMs: 500 } }],
    want: ['ready (stale)'],
  },
  { name: 'nobody looks', given: [running, { kind: 'source-removed', source }], want: [] },
];

for (const { name, given, want } of states)
  test(`rows: ${name}`, () => {
    const store = new Store(new EventLog(() => new Date(0)));
    for (const event of given) store.apply(event);
    const shown = rowsOf(store.state).map(
      r =>
        `${r.state}${r.reason ? `: ${r.reason}` : ''}${r.failure ? `! ${r.failure.message}` : ''}${r.isStale ? ' (stale)' : ''}`,
    );
    assert.deepEqual(shown, want);
  });

test('rows: sorted by place, gathered by workload', () => {
  const store = new Store(new EventLog(() => new Date(0)));
  const orders = { kind: 'Deployment', name: 'orders' };
  for (const event of [
    seen({ podUid: 'b', pod: 'web-b' }),
    seen({ podUid: 'a', pod: 'web-a' }),
    seen({ podUid: 'a', pod: 'web-a', container: 'adapter' }),
    seen({ podUid: 'o', pod: 'orders-1', workload: orders, container: 'main' }),
    seen({ podUid: 'z', pod: 'zz', namespace: 'backoffice' }),
  ])
    store.apply(event);
  assert.deepEqual(
    workloadsOf(rowsOf(store.state)).map(w => [
      w.namespace,
      w.workload.name,
      w.rows.map(r => `${r.container.pod}:${r.container.container}`),
    ]),
    [
      ['backoffice', 'web', ['zz:web']],
      ['shop', 'orders', ['orders-1:main']],
      ['shop', 'web', ['web-a:adapter', 'web-a:web', 'web-b:web']],
    ],
  );
});

test('a repeated failure of a source is logged once', () => {
  const log = new EventLog(() => new Date(0));
  const store = new Store(log);
  const retrying = (cause: string): DebugEvent => ({
    kind: 'source',
    source,
    state: { kind: 'retrying', failure: { ...failure, cause }, retryMs: 1 },
  });
  for (const event of [retrying('a'), retrying('a'), retrying('b')]) store.apply(event);
  assert.deepEqual(
    log.records.map(r => r.entry),
    ['Lost pods, trying again: It broke. (a)', 'Lost pods, trying again: It broke. (b)'],
  );
});

test('a suspended program waits for you until its run has had a debugger; the next run waits again', () => {
  const store = new Store(new EventLog(() => new Date(0)));
  const see = (containerId: string) => store.apply(seen({ containerId, detection: { verdict: 'suspended' } }));
  const waits = () => rowsOf(store.state)[0]?.waitsForYou;
  see('c1');
  assert.equal(waits(), true);
  store.apply(attached);
  assert.equal(waits(), false);
  store.apply({ kind: 'detached', sessionId: 's1' });
  assert.equal(waits(), false);
  see('c2');
  assert.equal(waits(), true);
});
