import assert from 'node:assert/strict';
import test from 'node:test';
import { groupsOf } from '../../../src/core/groups.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Store } from '../../../src/core/store.ts';
import { container } from '../../support/containers.ts';

const at = (namespace: string, workload: string, pod: string, artifact?: string) =>
  container({
    namespace,
    pod,
    podUid: pod,
    container: workload,
    workload: { kind: 'Deployment', name: workload },
    image: `registry.example/${workload}:1`,
    ...(artifact === undefined ? {} : { detection: { artifact } }),
  });

test('groups: session, module, namespace, and the workloads that have several containers', () => {
  const store = new Store(new EventLog(() => new Date(0)));
  const source = 'skaffold:50051';
  store.apply({ kind: 'skaffold', source, facts: [{ kind: 'run', id: 'run-1' }] });
  const all = [
    at('shop', 'web', 'a'),
    at('shop', 'web', 'b'),
    { ...at('shop', 'cart', 'c', 'cart-image'), runId: 'run-1' },
  ];
  for (const one of [...all, at('back', 'jobs', 'd')]) store.apply({ kind: 'seen', source: 'pods', container: one });
  const modules = [
    { name: 'front', artifacts: ['web', 'cart-image'] },
    { name: 'unused', artifacts: ['other'] },
  ];
  const groups = groupsOf(store.state, modules).map(({ kind, name, place, rows }) =>
    [kind, name, place, rows.map(row => row.container.pod).join()].filter(Boolean).join(' '),
  );
  assert.deepEqual(groups, [
    'session skaffold:50051 c',
    'module front c,a,b',
    'namespace back d',
    'namespace shop c,a,b',
    'workload web shop a,b',
  ]);
});
