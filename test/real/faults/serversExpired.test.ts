// Versions that the API server has forgotten, in each form in which it says so, with either etcd.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { ApiError, type KubeApi } from '../../../src/cluster/access.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { get, type Login } from '../../contract/cluster.ts';
import { Rows } from '../../contract/rows.ts';
import { type After, afterSuite } from '../../integration/demo/support.ts';
import { deletePod, podsPath, touch } from '../cluster/faults/pods.ts';
import { restartApiServer } from '../cluster/faults/servers.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';

const limit = { timeout: 300_000 };

/** A pod that is never run: what a list has of it does not change by itself. */
const unscheduled = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    labels: { app: name },
    annotations: { 'debug.cloud.google.com/config': '{"web":{"runtime":"nodejs","ports":{"devtools":9229}}}' },
  },
  spec: { nodeSelector: { nowhere: 'yes' }, containers: [{ name: 'web', image: 'breakpod.test/node:1' }] },
});

const names = ['one', 'two', 'three'];

/** A cluster that forgets versions after five seconds, with pods that no kubelet runs. */
async function clusterWithLists(after: After, etcd: string): Promise<Cluster> {
  const cluster = await clusterFor(after, { name: `expired-${etcd}`, etcd, compaction: true, hasPods: false });
  const list = { apiVersion: 'v1', kind: 'List', items: names.map(unscheduled) };
  // Pods are refused until the controller manager has made the namespace's account.
  await until('the pods', () => kubectl(cluster, ['apply', '-n', 'shop', '-f', '-'], { input: JSON.stringify(list) }));
  return cluster;
}

/** Asks as the product does, and tells of each request and how it was refused. `beforeAsking` can hold one up. */
function tapped({ api, access }: Login, beforeAsking: (path: string, n: number) => Promise<unknown>) {
  const refusals: string[] = [];
  const asked: string[] = [];
  const tap: KubeApi = {
    access,
    get: async (path, signal) => {
      await beforeAsking(path, asked.push(path) - 1);
      return api.get(path, signal).catch((error: unknown) => {
        if (error instanceof ApiError) refusals.push(`${error.status} ${error.reason}`);
        throw error;
      });
    },
  };
  return { login: { api: tap, access }, asked, refusals };
}

for (const etcd of ['new', 'old'])
  suite(`expired versions on the real node with the ${etcd} etcd`, { skip }, () => {
    const after = afterSuite();
    let cluster: Cluster;
    before(async () => {
      cluster = await clusterWithLists(after, etcd);
    });

    const admin = async (): Promise<Login> => {
      const access = accessOf(
        await loadKubeconfig({ env: {}, home: '', explicitFile: kubeconfigOf(cluster, 'admin') }),
      );
      return { access, api: kubeApi(access) };
    };

    /** Waits until the next page of a list is refused, while the cluster goes on. */
    const untilExpired = async (login: Login, path: string) =>
      until('the expiry of a page', async () => {
        await touch(cluster, 'one');
        const answer = get(login, path);
        return answer.then(
          () => false,
          (error: unknown) => error instanceof ApiError && error.status === 410,
        );
      });

    test('a page of a list, then the watch that continues it: both begin anew, and no pod is lost', limit, async () => {
      const plain = await admin();
      let pages = 0;
      let watches = 0;
      const { login, asked, refusals } = tapped(plain, async path => {
        if (path.includes('continue=') && ++pages === 1) await untilExpired(plain, path);
        if (!path.includes('watch=') || ++watches > 1) return;
        // After the list and before its watch: what happens now, only a new list can tell once the server starts anew.
        await deletePod(cluster, 'three');
        await restartApiServer(cluster);
      });
      await using rows = new Rows(
        login,
        { namespace: 'shop' },
        { memory: { refusesStreaming: true }, limits: { pageSize: 1, answerMs: 240_000 } },
      );
      await rows.untilWatching();
      await until('the rows', () => rows.words.length === 2 && rows.state.kind === 'watching');
      assert.deepEqual(
        rows.words.map(words => words.split('/')[0]),
        ['one', 'two'],
      );
      assert.deepEqual(refusals, ['410 Expired'], asked.join('\n'));
      // Page, next page (410), all at once, watch (an event of code 410), pages anew.
      const kinds = asked.map(path =>
        path.includes('watch=') ? 'watch' : path.includes('continue=') ? 'next' : 'list',
      );
      assert.deepEqual(kinds.slice(0, 5), ['list', 'next', 'list', 'watch', 'list'], asked.join('\n'));
    });

    test('a watch over a restart of the server goes on by itself', limit, async () => {
      const plain = await admin();
      const { login, asked } = tapped(plain, async () => undefined);
      await using rows = new Rows(login, { namespace: 'shop' });
      await rows.untilWatching();
      const before = asked.length;
      await restartApiServer(cluster);
      await touch(cluster, 'one');
      await kubectl(cluster, ['delete', 'pod', 'two', '-n', 'shop']);
      await until('the row to go', () => rows.words.length === 1);
      await rows.untilWatching();
      assert.ok(asked.length > before);
      assert.equal(
        asked.some(path => path.includes('limit=')),
        etcd === 'old',
      );
      assert.equal((JSON.parse(await get(plain, podsPath)) as { items: object[] }).items.length, 1);
    });
  });
