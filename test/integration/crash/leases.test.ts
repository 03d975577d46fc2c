// Leases of leader elections that a container's pod holds, found beside an attach: on the demo cluster's API.
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import test, { before, type TestContext } from 'node:test';
import { detect } from '../../../src/cluster/detect/detect.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { LeaseReader } from '../../../src/cluster/pods/leaseReader.ts';
import { watchScopes } from '../../../src/cluster/watch/scopes.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import type { Demo } from '../../../src/demo/demo.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { afterSuite, demoFor, eventually } from '../demo/support.ts';

const cleanUp = afterSuite();
let demo: Demo;
before(async () => {
  const api = WORKLOADS.find(({ name }) => name === 'api')!;
  const leading: typeof api = {
    ...api,
    template: directory => ({ ...api.template(directory), leases: ['api-leader', 'api-backup'] }),
  };
  demo = await demoFor(cleanUp, { workloads: [leading] });
});

/** The container as a login sees it, and what has been asked of the API for its leases. */
async function watchAs(t: TestContext, context: string) {
  const config = await loadKubeconfig({ env: {}, home: homedir(), explicitFile: demo.kubeconfigFile });
  const api = kubeApi(accessOf(config, context));
  const asked: Promise<unknown>[] = [];
  const noting: typeof api = {
    ...api,
    get: (path, signal) => {
      const answer = api.get(path, signal);
      asked.push(answer.catch(() => undefined));
      return answer;
    },
  };
  const store = new Store(new EventLog(() => new Date()));
  const reader = new LeaseReader(store, () => noting);
  const feed = new Feed(watchScopes({ api, detect, namespaces: ['shop'], fallback: [] }), store, error =>
    assert.fail(String(error)),
  );
  t.after(() => {
    feed.dispose();
    reader.dispose();
  });
  const row = () => rowsOf(store.state)[0];
  const { container } = await eventually('the row', () => (row()?.state === 'ready' ? row() : undefined));
  const attach = () => store.apply({ kind: 'attaching', slot: container.slot, step: 'debugger' });
  const leave = () => store.apply({ kind: 'attach-cancelled', slot: container.slot });
  return { asked, attach, leave, row };
}

test('the leases that a pod holds are found beside each attach, with one request', async t => {
  const { asked, attach, leave, row } = await watchAs(t, 'breakpod-demo');
  assert.equal(asked.length, 0);
  attach();
  attach();
  const leases = await eventually('the leases', () => row()?.leases);
  assert.deepEqual(
    leases.map(({ name, seconds }) => [name, seconds]),
    [
      ['api-leader', 15],
      ['api-backup', 15],
    ],
  );
  assert.equal(asked.length, 1);
  leave();
  attach();
  assert.equal(asked.length, 2, 'the next attach looks again');
});

test('without the right to list leases nothing is said', async t => {
  const { asked, attach, row } = await watchAs(t, 'breakpod-demo-shop');
  attach();
  await Promise.all(asked);
  assert.deepEqual([asked.length, row()?.leases], [1, undefined]);
});
