// A real `skaffold debug` on the real node: our own watch beside Skaffold's events. SKAFFOLD names the program.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { afterSuite, temporaryDirectory } from '../../integration/demo/support.ts';
import { killContainer } from '../cluster/faults/pods.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import { kubectlJson } from '../cluster/kubectl.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import type { NamedContainer } from './eventStream.ts';
import { Headless, type WatchedRow } from './headless.ts';
import { prepareProject, type Project, registryOf, services } from './project.ts';
import { Skaffold, withoutSkaffold } from './skaffold.ts';
import { pushSupportImages } from './supportImages.ts';

const limit = { timeout: 500_000 };

const place = ({ podName, containerName }: NamedContainer) => `${podName}:${containerName}`;
const count = (all: readonly NamedContainer[], status: string, where: string) =>
  all.filter(one => one.status === status && place(one) === where).length;

suite('skaffold debug on the real node', { skip: withoutSkaffold ?? skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  let project: Project;
  let skaffold: Skaffold;
  let watch: Headless;
  let follow: Headless;

  before(async () => {
    cluster = await clusterFor(after, { name: 'skaffold-test', hasPods: false });
    const folder = temporaryDirectory(after);
    const supportImages = await pushSupportImages(registryOf(cluster));
    project = await prepareProject(join(folder, 'project'), registryOf(cluster));
    watch = new Headless(after, ['watch', '--kubeconfig', kubeconfigOf(cluster, 'dev'), '--namespace', 'shop']);
    await watch.until(/"state":"watching"/);
    skaffold = await Skaffold.start({ cluster, project, supportImages, home: join(folder, 'home') });
    after(async () => void (await skaffold.stop()));
    await skaffold.v1.begun;
    follow = new Headless(after, ['follow', '--rpc-port', String(skaffold.rpcPort)]);
    await skaffold.iteration(0);
  });

  /** Everything that Skaffold has named so far, our watch has told in the same words, or tells soon. */
  const tellsAllNamed = async () => {
    const missing = () => skaffold.v1.named.filter(named => !watch.has(named));
    await until('what Skaffold has named', () => missing().length === 0).catch(() => undefined);
    assert.deepEqual(missing(), []);
  };

  const isReady = (name: string) => (row: WatchedRow) =>
    row.pod.startsWith(name) && row.container === 'main' && row.state === 'ready';

  for (const { name, builder, runtime, port, probe } of services)
    test(`${name} (${runtime}, built by ${builder}) is a row, and its debugger answers`, limit, async t => {
      const obstacle = project.obstacles.get(name);
      if (obstacle !== undefined) return t.skip(`the builder ${builder} cannot run here: ${obstacle}`);
      const row = await watch.row(name, isReady(`${name}-`));
      assert.deepEqual(
        { runtime: row.runtime, port: row.port, evidence: row.evidence },
        { runtime, port, evidence: 'annotation' },
      );
      const where = ['--kubeconfig', kubeconfigOf(cluster, 'dev'), '--namespace', 'shop', '--pod', row.pod];
      const forward = new Headless(after, ['forward', ...where, '--port', String(port)]);
      const local = Number((await forward.until(/"local":(\d+)/))[1]);
      assert.ok(await until('the debugger', () => probe(local)));
    });

  const unnamed = [
    { name: 'a native sidecar', pod: 'web-', container: 'helper', port: 9230 },
    { name: 'a container of an image that was not built', pod: 'legacy', container: 'main', port: 9229 },
  ];
  for (const { name, pod, container, port } of unnamed)
    test(`${name}, which Skaffold never names, is a row`, limit, async t => {
      if (pod === 'web-' && project.obstacles.has('web')) return t.skip(project.obstacles.get('web'));
      const row = await watch.row(name, row => row.pod.startsWith(pod) && row.container === container);
      assert.deepEqual(
        { runtime: row.runtime, port: row.port, evidence: row.evidence },
        { runtime: 'nodejs', port, evidence: 'flags' },
      );
      assert.equal(
        skaffold.v1.named.filter(one => one.podName === row.pod && one.containerName === container).length,
        0,
      );
    });

  test('what Skaffold names after the next version is known to the watch already', limit, async () => {
    const db = await watch.row('db-0', isReady('db-0'));
    const old = await watch.row('web', isReady('web-'));
    const file = join(project.folder, 'web', 'server.js');
    await writeFile(file, (await readFile(file, 'utf8')).replace('version = 1', 'version = 2'));
    await skaffold.redeploy(1);
    await until('Skaffold to name a container', () => skaffold.v1.named.length > 0);
    await tellsAllNamed();
    const isNew = (row: WatchedRow) => isReady('web-')(row) && row.pod !== old.pod;
    await watch.row('the new pod of web', isNew);
    const ofOld = () => count(watch.named, 'Terminated', `${old.pod}:main`);
    await until('the end of the old pod', () => ofOld() === 1, { timeoutMs: 90_000 });
    // The same name again: another pod, of which Skaffold may say nothing.
    await watch.row('the new db-0', row => isReady('db-0')(row) && row.podUid !== db.podUid);
    assert.equal(count(watch.named, 'Terminated', 'db-0:main'), 1);
    assert.equal(count(watch.named, 'Started', 'db-0:main'), 2);
  });

  test('a container that restarts in its pod is told as ended and started', limit, async () => {
    const { pod, restarts } = await watch.row('web', isReady('web-'));
    await killContainer(cluster, pod, 'main');
    await watch.row('the restart', row => row.pod === pod && isReady('web-')(row) && row.restarts === restarts + 1);
    assert.equal(count(watch.named, 'Terminated', `${pod}:main`), 1);
    assert.equal(count(watch.named, 'Started', `${pod}:main`), 2);
    await tellsAllNamed();
  });

  test('at the end of Skaffold each container that has started has ended, and all is gone', limit, async () => {
    assert.equal(await skaffold.stop(), 0, skaffold.lastWords);
    await until('the last row to go', () => watch.rows.length === 0, { timeoutMs: 90_000 });
    const places = new Set(watch.named.map(place));
    for (const where of places)
      assert.equal(count(watch.named, 'Terminated', where), count(watch.named, 'Started', where), where);
    await tellsAllNamed();
    const pods = async () => (await kubectlJson(cluster, ['get', 'pods', '-n', 'shop'])).items.length;
    await until('the last pod to go', async () => (await pods()) === 0);
  });

  test('headless follow has told the same by gRPC, to the end', limit, async () => {
    assert.equal(await follow.ended(), 0);
    assert.deepEqual(follow.drain?.outcome, 'complete');
    assert.deepEqual(follow.named, skaffold.v1.named);
    assert.deepEqual(skaffold.v2.named.map(place), skaffold.v1.named.map(place));
  });
});
