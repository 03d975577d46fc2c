import assert from 'node:assert/strict';
import test from 'node:test';
import { type ContractCluster, logIn, podOf } from './cluster.ts';
import { Rows } from './rows.ts';

const limit = { timeout: 120_000 };

/** What a watch tells, from the first list to the successor of a deleted pod. */
export function watchContract(cluster: () => ContractCluster): void {
  test('watch: the first list has every debuggable container, with how that is known', limit, async () => {
    const { web, flags, pair } = cluster().workloads;
    const login = await logIn(cluster(), 'admin');
    await using rows = new Rows(login, {});
    await rows.untilWatching();
    for (const { app, containers } of [web, pair])
      for (const container of containers)
        assert.ok(
          rows.words.some(words => words.startsWith(`${app}/${container} `) && words.endsWith('live annotation')),
          rows.words.join('\n'),
        );
    assert.ok(rows.words.includes(`${flags.app}/${flags.containers[0]} nodejs 9229 live flags`), rows.words.join('\n'));
  });

  test('watch: a container that restarts in place keeps its row and gets another identity', limit, async () => {
    const { web } = cluster().workloads;
    const login = await logIn(cluster(), 'developer');
    await using rows = new Rows(login, { namespace: web.namespace, labelSelector: `app=${web.app}` });
    const pod = await podOf(login, web);
    const was = await rows.until('its row', row => row.podUid === pod.podUid && row.phase.kind === 'running');
    await cluster().restartContainer(pod, was.container);
    const is = await rows.until('the next run', row => row.phase.kind === 'running' && row.id !== was.id);
    assert.deepEqual([is.slot, is.follow, is.restarts], [was.slot, was.follow, was.restarts + 1]);
    assert.equal(is.last?.containerId, was.containerId);
    assert.equal(rows.containers.size, 1);
  });

  test('watch: a deleted pod ends as gone, and its successor follows it', limit, async () => {
    const { web } = cluster().workloads;
    const login = await logIn(cluster(), 'developer');
    await using rows = new Rows(login, { namespace: web.namespace, labelSelector: `app=${web.app}` });
    const pod = await podOf(login, web);
    const was = await rows.until('its row', row => row.podUid === pod.podUid && row.phase.kind === 'running');
    await cluster().deletePod(pod);
    const is = await rows.until('the successor', row => row.podUid !== pod.podUid && row.ready);
    await rows.until('nothing but the successor', () => rows.containers.size === 1);
    assert.equal(is.follow, was.follow);
    assert.notEqual(is.slot, was.slot);
    const ofFirst = rows.reports.filter(([slot]) => slot === was.slot).map(([, row]) => row?.phase.kind ?? 'gone');
    assert.ok(ofFirst.includes('terminating'), ofFirst.join(', '));
    assert.deepEqual(
      ofFirst.filter(kind => kind === 'gone'),
      ['gone'],
    );
  });

  test('watch: a login with rights in one namespace sees that one, and is told what is missing', limit, async () => {
    const login = await logIn(cluster(), 'developer');
    await using own = new Rows(login, { namespace: 'shop' });
    await own.untilWatching();
    await using all = new Rows(login, {});
    await own.until('a row', () => true);
    while (all.state.kind === 'connecting') await new Promise(resolve => setTimeout(resolve, 20));
    assert.equal(all.state.kind, 'stopped');
    assert.match(all.failure, /pods/);
  });
}
