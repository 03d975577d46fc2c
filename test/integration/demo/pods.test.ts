import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { suite, test, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerStatus, Pod } from '../../../src/demo/api/objects.ts';
import { podKey } from '../../../src/demo/api/objects.ts';
import type { Demo } from '../../../src/demo/demo.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { afterSuite, demoFor, eventually, isAlive, loginOf, textOf } from './support.ts';

/** What a watcher would have seen of one pod's first container, one word per change. */
const word = ({ metadata, status }: Pod): string => {
  const first = status.containerStatuses?.[0];
  const state = first?.state;
  const what = state?.running
    ? `running${first!.ready ? ' ready' : ''} ${first!.restartCount}`
    : state?.terminated
      ? `terminated ${state.terminated.exitCode}`
      : `waiting ${state?.waiting?.reason ?? 'for a node'}`;
  return `${status.phase} ${what}${metadata.deletionTimestamp === undefined ? '' : ' deleting'}`;
};

const workloads = (...names: string[]) => WORKLOADS.filter(({ name }) => names.includes(name));

suite('pods of the demo cluster', () => {
  const cleanUp = afterSuite();
  let demo: Demo;
  const seen = new Map<string, string[]>();

  before(async () => {
    demo = await demoFor(cleanUp, { backoff: { firstMs: 400, mostMs: 800 } });
    demo.store.onDidChange(({ type, now }) => {
      const key = podKey(now.pod.metadata.namespace, now.pod.metadata.name);
      const words = seen.get(key) ?? [];
      const next = type === 'DELETED' ? 'gone' : word(now.pod);
      if (words.at(-1) !== next) words.push(next);
      seen.set(key, words);
    });
    for (const workload of workloads('web', 'reports', 'crash', 'cleanup')) await demo.run(workload);
  });

  const pod = (name: string): Pod | undefined =>
    demo.store.snapshot().find(stored => stored.pod.metadata.labels?.['app'] === name)?.pod;
  const ready = (name: string) =>
    eventually(`${name} to be ready`, () => {
      const found = pod(name);
      return found?.status.containerStatuses?.every(status => status.ready) ? found : undefined;
    });
  const history = ({ metadata }: Pod) => seen.get(podKey(metadata.namespace, metadata.name))!;
  const first = ({ status }: Pod): ContainerStatus => status.containerStatuses![0]!;

  test('a pod comes to life as a kubelet reports it', async () => {
    const web = await ready('web');
    assert.deepEqual(history(web), [
      'Pending waiting for a node',
      'Pending waiting ContainerCreating',
      'Running running 0',
      'Running running ready 0',
    ]);
    assert.match(first(web).containerID!, /^containerd:\/\/[0-9a-f]{64}$/);
    assert.equal(web.metadata.ownerReferences?.[0]?.kind, 'ReplicaSet');
    assert.equal(web.metadata.ownerReferences[0].name, `web-${web.metadata.labels!['pod-template-hash']}`);
    assert.deepEqual(web.spec.containers[0]!.command, ['node', '--inspect=0.0.0.0:9229', 'dist/server.js']);
  });

  test('statuses are sorted by name, and two containers have their own ports', async () => {
    const reports = await ready('reports');
    assert.deepEqual(
      reports.status.containerStatuses!.map(({ name }) => name),
      ['reports', 'worker'],
    );
    const ports = [8080, 9229, 9230].map(port => demo.addressOf('backoffice', 'reports', port)!.port);
    assert.equal(new Set(ports).size, 3);
    for (const port of ports) assert.ok(await accepts(port));
    assert.equal(demo.addressOf('backoffice', 'reports', 9231), undefined);
  });

  test('a crash: terminated, restarted at once, then with growing pauses', async () => {
    const crash = await ready('crash');
    const words = await eventually('two pauses', () => {
      const all = history(crash);
      return all.filter(one => one.includes('CrashLoopBackOff')).length >= 2 ? all : undefined;
    });
    const story = ['running ready 0', 'terminated 1', 'running ready 1', 'terminated 1', 'waiting CrashLoopBackOff'];
    const next = ['running ready 2', 'terminated 1', 'waiting CrashLoopBackOff'];
    assert.deepEqual(
      words.slice(2, 10),
      [...story, ...next].map(one => `Running ${one}`),
    );
    const { lastState, containerID } = first(pod('crash')!);
    assert.equal(lastState.terminated?.exitCode, 1);
    assert.notEqual(containerID, first(crash).containerID);
    const login = await loginOf(demo);
    const path = `/api/v1/namespaces/backoffice/pods/${crash.metadata.name}`;
    assert.match(await textOf(login, `${path}/log?previous=true`), /settings\.json is missing/);
  });

  test('the pause of a crash loop shows how the last run ended, not CrashLoopBackOff', async () => {
    const long = await demoFor(cleanUp, { backoff: { firstMs: 600_000, mostMs: 600_000 } });
    await long.run(workloads('crash')[0]!);
    const status = () => long.store.snapshot()[0]?.pod.status.containerStatuses?.[0];
    await eventually('the pause', () => (status()?.restartCount === 1 && status()?.state.terminated) || undefined);
    await sleep(600);
    assert.equal(status()?.state.terminated?.reason, 'Error');
    assert.equal(status()?.state.waiting, undefined);
  });

  test('a restart in place: same pod, another container', async () => {
    const before = await ready('web');
    const id = await demo.restart('shop', before.metadata.name, 'web');
    const now = await ready('web');
    assert.equal(now.metadata.uid, before.metadata.uid);
    assert.equal(first(now).containerID, id);
    assert.notEqual(id, first(before).containerID);
    assert.equal(first(now).restartCount, 1);
    assert.equal(first(now).lastState.terminated?.containerID, first(before).containerID);
  });

  test('a replaced pod: its successor, and the old one ends', async () => {
    const before = await ready('web');
    const name = await demo.replace('shop', before.metadata.name);
    await eventually('the old pod to go', () => history(before).includes('gone') || undefined);
    const now = pod('web')!;
    assert.equal(now.metadata.name, name);
    assert.equal(now.metadata.labels!['pod-template-hash'], before.metadata.labels!['pod-template-hash']);
    assert.deepEqual(history(before).slice(-3), [
      'Running running ready 1 deleting',
      'Failed terminated 143 deleting',
      'gone',
    ]);
  });

  test('a rollout: another ReplicaSet, and the old pod stays until the new one is ready', async () => {
    const before = await ready('web');
    const order: string[] = [];
    const subscription = demo.store.onDidChange(({ type, now: { pod: changed } }) => {
      if (changed.metadata.uid === before.metadata.uid) order.push(type === 'DELETED' ? 'old gone' : 'old changed');
      else if (changed.metadata.labels?.['app'] === 'web') order.push(word(changed));
    });
    const name = await demo.rollout('shop', 'web');
    subscription.dispose();
    const now = pod('web')!;
    assert.equal(now.metadata.name, name);
    assert.notEqual(now.metadata.labels!['pod-template-hash'], before.metadata.labels!['pod-template-hash']);
    assert.ok(order.indexOf('Running running ready 0') < order.indexOf('old changed'), order.join(', '));
    assert.equal(order.at(-1), 'old gone');
    assert.match(now.spec.containers[0]!.workingDir!, /web-2/);
  });

  test('a job ends well and stays', async () => {
    const done = await eventually('the job to end', () => {
      const found = pod('cleanup');
      return found?.status.phase === 'Succeeded' ? found : undefined;
    });
    assert.equal(word(done), 'Succeeded terminated 0');
    assert.equal(done.metadata.ownerReferences?.[0]?.kind, 'Job');
  });

  test('what does not exist is named', async () => {
    await assert.rejects(demo.restart('shop', 'nobody', 'web'), {
      message: 'The demo cluster has no pod shop/nobody.',
    });
    await assert.rejects(demo.restart('shop', 'web', 'x'), /has no container x in pod shop\/web-/);
    await assert.rejects(demo.rollout('shop', 'nobody'), {
      message: 'The demo cluster has no deployment shop/nobody.',
    });
  });

  test('a deployment that is removed: its pod ends and has no successor', async () => {
    await demo.run(workloads('api')[0]!);
    const api = await ready('api');
    await demo.remove('shop', 'api');
    assert.equal(demo.store.get('shop', api.metadata.name), undefined);
    assert.equal(pod('api'), undefined);
    await assert.rejects(demo.remove('shop', 'nobody'), { message: 'The demo cluster has no deployment shop/nobody.' });
  });

  test('the end: no process, no listener', async () => {
    const web = await ready('web');
    const ports = [8080, 9229].map(port => demo.addressOf('shop', 'web', port)!.port);
    const pids = demo.pids;
    assert.ok(pids.length >= 3 && (await isAlive(pids[0]!)));
    await demo.stop();
    assert.deepEqual(await filterAsync(pids, isAlive), []);
    for (const port of [...ports, Number(new URL(demo.server).port)]) assert.equal(await accepts(port), false);
    assert.equal(history(web).at(-1), 'gone');
  });
});

const accepts = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function filterAsync<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) if (await holds(item)) kept.push(item);
  return kept;
}
