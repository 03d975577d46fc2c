// The servers fail one after the other, and containers end and pods are replaced meanwhile.
import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import type { Row } from '../../../src/core/selectors.ts';
import { afterSuite } from '../../integration/demo/support.ts';
import { deletePod } from '../cluster/faults/pods.ts';
import { killApiServer, restartContainerd, restartEtcd, restartKubelet } from '../cluster/faults/servers.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { killRun } from '../support/killRun.ts';
import { assertLogIsComplete } from '../support/kubeletRecordCompare.ts';
import { assertAnswers, InspectorForward } from '../support/openForward.ts';
import { type Product, startProduct } from '../support/product.ts';
import { assertRecovers } from '../support/recovery.ts';

const limit = { timeout: 300_000 };
/** One with the least rights by token, one with all rights by client certificate. */
const users = ['dev', 'admin'];

suite('servers of the real node that fail', { skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  const products = new Map<string, Product>();
  const product = () => products.get('dev')!;
  let forward: InspectorForward;

  before(async () => {
    cluster = await clusterFor(after, { name: 'servers' });
    // A status names two runs, so what crashes again and again while the API server is away cannot all be known.
    await deletePod(cluster, 'crash');
    for (const user of users) {
      const started = await startProduct(cluster, { user });
      after(() => started.dispose());
      products.set(user, started);
    }
    forward = await InspectorForward.open(after, product(), 'flags');
  });

  afterEach(async () => {
    for (const one of products.values()) await assertLogIsComplete(cluster, one);
  });

  const assertAllRecover = () => Promise.all([...products].map(([user, one]) => assertRecovers(cluster, one, user)));
  const podOf = (workload: string): Row['container'] =>
    product().rows.find(row => row.container.workload.name === workload)!.container;
  const nextRun = ({ slot, id }: Row['container']) =>
    product().waitForRow(
      'the next run',
      row => row.container.slot === slot && row.container.id !== id && row.state === 'ready',
    );
  const front = () => product().row('two', 'front')!.container;
  /** What the product has said of its watch since then. */
  const troubles = (since: number) =>
    product()
      .records.slice(since)
      .filter(({ kind, level }) => kind === 'sourceEvent' && level !== 'info');

  test('etcd restarts: the watch and an open connection go on', limit, async () => {
    const since = product().records.length;
    const client = await forward.connect();
    const was = front();
    await restartEtcd(cluster, () => killRun(cluster, 'two', 'front'));
    await assertAllRecover();
    await nextRun(was);
    await assertAnswers(client);
    client.close();
    assert.deepEqual(troubles(since), []);
  });

  for (const { name, restart, app } of [
    { name: 'the kubelet', restart: restartKubelet, app: 'node' },
    { name: 'containerd', restart: restartContainerd, app: 'python' },
  ])
    test(`${name} restarts: no row is lost, and the forward takes new connections`, limit, async () => {
      const client = await forward.connect();
      const was = podOf(app);
      await restart(cluster, () => killRun(cluster, was.pod, 'web'));
      await client.closed;
      await assertAllRecover();
      await nextRun(was);
      const again = await forward.reconnect();
      await assertAnswers(again);
      again.close();
    });

  test('the API server crashes, and meanwhile a pod is replaced and a container runs twice', limit, async () => {
    const client = await forward.connect();
    const [was, deleted] = [podOf('sidecar'), podOf('go')];
    await deletePod(cluster, deleted.pod, '--wait=false');
    await killApiServer(cluster, async () => {
      await client.closed;
      const problem = await product().waitFor('why', () => /ECONNREFUSED/.test(product().problem) && product().problem);
      assert.match(problem, /^The API server https:\S+ cannot be reached\. \(connect ECONNREFUSED \S+\) Check that /);
      assert.ok(
        product().rows.every(row => row.isStale),
        product().words.join('\n'),
      );
      await assert.rejects(forward.connect());
      assert.match(forward.problems.at(-1)!, /^The API server https:\S+ cannot be reached/);
      await killRun(cluster, 'sidecar', was.container);
      await killRun(cluster, 'sidecar', was.container);
    });
    await assertAllRecover();
    const again = await forward.reconnect();
    await assertAnswers(again);
    again.close();
    await nextRun(was);
    const follower = await product().waitForRow(
      'the successor',
      row =>
        row.container.follow === deleted.follow && row.container.podUid !== deleted.podUid && row.state === 'ready',
    );
    assert.notEqual(follower.container.pod, deleted.pod);
  });
});
