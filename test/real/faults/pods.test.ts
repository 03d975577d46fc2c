// What happens to pods in a day's work. After each, the log has every run that the node has recorded, once.
import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import type { Row } from '../../../src/core/selectors.ts';
import { afterSuite } from '../../integration/demo/support.ts';
import * as pods from '../cluster/faults/pods.ts';
import { kubectl } from '../cluster/kubectl.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { kubeletRecord } from '../support/kubeletRecord.ts';
import { assertLogIsComplete } from '../support/kubeletRecordCompare.ts';
import { type Product, startProduct } from '../support/product.ts';

const limit = { timeout: 180_000 };
const server = ['node', '--inspect=0.0.0.0:9229', 'dist/server.js'];

/** Containers that end again and again. */
const loops = [
  // The image's CMD is lost when a tool writes the command with the debug flag alone.
  { name: 'no-program', command: ['node', '--inspect=0.0.0.0:9229'], says: /Completed, exit code 0/ },
  { name: 'exits', command: ['node', '--inspect=0.0.0.0:9229', '-e', 'process.exit(3)'], says: /exit code 3/ },
  { name: 'no-file', command: ['/dbg/go/bin/dlv', 'exec', '--headless', '/app'], says: /no such file or directory/ },
];

suite('pods on the real node', { skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  let product: Product;
  before(async () => {
    cluster = await clusterFor(after, { name: 'pods' });
    product = await startProduct(cluster, { user: 'dev' });
    after(() => product.dispose());
    const items = loops.map(({ name, command }) => pods.nodePod(name, command));
    await pods.apply(cluster, { apiVersion: 'v1', kind: 'List', items });
  });

  /** What cannot be debugged has no events: here a Node without a program, and the init container. */
  const isComplete = () =>
    assertLogIsComplete(cluster, product, {
      isWanted: ({ namespace, pod, container }) =>
        namespace === 'shop' && container !== 'setup' && pod !== 'no-program',
    });
  afterEach(isComplete);

  const readyRow = (what: string, isSo: (container: Row['container']) => boolean) =>
    product.waitForRow(`${what} ready`, row => isSo(row.container) && row.state === 'ready');
  const ofPod = (pod: string, container = 'web') =>
    readyRow(`${pod}:${container}`, row => row.pod === pod && row.container === container);
  const ofWorkload = (name: string, other?: Row) =>
    readyRow(`a pod of ${name}`, row => row.workload.name === name && row.podUid !== other?.container.podUid);
  const untilGone = ({ container: { slot, pod } }: Row) =>
    product.waitFor(`the row of ${pod} to go`, () => !product.rows.some(({ container }) => container.slot === slot));
  const said = (pod: string) => product.events.filter(event => event.pod === pod).map(({ status }) => status);

  test('a container that is killed runs again in the same row', limit, async () => {
    const was = await ofPod('two', 'front');
    const other = await ofPod('two', 'back');
    await pods.killContainer(cluster, 'two', 'front');
    const is = await readyRow('the next run', ({ slot, id }) => slot === was.container.slot && id !== was.container.id);
    assert.notEqual(is.container.containerId, was.container.containerId);
    assert.equal(is.container.restarts, was.container.restarts + 1);
    assert.deepEqual([is.container.last?.containerId, is.container.last?.exitCode], [was.container.containerId, 137]);
    assert.equal(product.row('two', 'back')?.container.containerId, other.container.containerId);
  });

  test('a native sidecar that is killed runs again, and the app beside it goes on', limit, async () => {
    const was = await ofPod('sidecar', 'helper');
    const web = await ofPod('sidecar');
    await pods.killContainer(cluster, 'sidecar', 'helper');
    const is = await readyRow('the next run', ({ slot, id }) => slot === was.container.slot && id !== was.container.id);
    assert.equal(is.container.kind, 'sidecar');
    assert.equal(product.row('sidecar')?.container.containerId, web.container.containerId);
    assert.equal(product.row('sidecar', 'setup'), undefined);
  });

  test('a rollout: the successor has a row, the predecessor has none any more', limit, async () => {
    const was = await ofWorkload('go');
    await pods.restartRollout(cluster, 'go');
    const is = await ofWorkload('go', was);
    await untilGone(was);
    assert.equal(is.container.follow, was.container.follow);
    assert.deepEqual(said(was.container.pod), ['Started', 'Terminated']);
  });

  test('an eviction by the API: the same', limit, async () => {
    const was = await ofWorkload('go');
    await pods.evict(cluster, was.container.pod);
    const is = await ofWorkload('go', was);
    await untilGone(was);
    assert.equal(is.container.follow, was.container.follow);
    assert.deepEqual(said(was.container.pod), ['Started', 'Terminated']);
  });

  test('a pod that the kubelet ends, and that stays as Failed', limit, async () => {
    await pods.apply(cluster, pods.nodePod('late', server));
    const was = await ofPod('late');
    await pods.patch(cluster, 'late', { spec: { activeDeadlineSeconds: 1 } });
    await untilGone(was);
    const { status } = await pods.podNamed(cluster, 'late');
    assert.equal(status.phase, 'Failed');
    await isComplete();
    assert.deepEqual(said('late'), ['Started', 'Terminated']);
    await pods.deletePod(cluster, 'late');
    await isComplete();
    assert.deepEqual(said('late'), ['Started', 'Terminated']);
  });

  test('the pod of a StatefulSet comes again under the same name', limit, async () => {
    const was = await ofPod('db-0');
    await pods.deletePod(cluster, 'db-0', '--wait=false');
    const is = await ofWorkload('db', was);
    assert.equal(is.container.pod, 'db-0');
    assert.notEqual(is.container.slot, was.container.slot);
    assert.equal(product.rows.filter(({ container }) => container.pod === 'db-0').length, 1);
    assert.deepEqual(said('db-0'), ['Started', 'Terminated', 'Started']);
  });

  test('a dead pod that a finalizer keeps is not told twice', limit, async () => {
    const metadata = { finalizers: ['breakpod.test/keep'] };
    await pods.apply(cluster, pods.nodePod('kept', server, { metadata }));
    const was = await ofPod('kept');
    await pods.deletePod(cluster, 'kept', '--wait=false');
    await product.waitFor('its end', () => said('kept').includes('Terminated'));
    const { metadata: still } = await pods.podNamed(cluster, 'kept');
    assert.ok(still.deletionTimestamp);
    const row = product.row('kept');
    assert.ok(row === undefined || !row.isAttachable, product.words.join('\n'));
    await pods.touch(cluster, 'kept');
    await pods.patch(cluster, 'kept', { metadata: { finalizers: [] } });
    await untilGone(was);
    await isComplete();
    assert.deepEqual(said('kept'), ['Started', 'Terminated']);
  });

  test('an ephemeral container, as kubectl debug adds it', limit, async () => {
    const program = ['node', '--inspect=0.0.0.0:9300', '-e', 'setInterval(() => {}, 1e6)'];
    const web = await ofPod('flags');
    await pods.addEphemeral(cluster, 'flags', 'visitor', program);
    const row = await ofPod('flags', 'visitor');
    assert.deepEqual([row.container.kind, row.container.detection.port], ['ephemeral', 9300]);
    await product.app.attach.attach(row.container.slot);
    assert.equal(product.row('flags', 'visitor')?.state, 'attached');
    await product.app.attach.detach(row.container.slot);
    await pods.killContainer(cluster, 'flags', 'visitor');
    await product.waitFor('its end', () => product.row('flags', 'visitor')?.isAttachable !== true);
    assert.equal(product.row('flags')?.container.containerId, web.container.containerId);
  });

  test('a Job of a moment: one start, one end, no row that stays', limit, async () => {
    const { metadata, spec } = pods.nodePod('brief', ['node', '--inspect=0.0.0.0:9229', '-e', '0'], {
      spec: { restartPolicy: 'Never' },
    });
    await pods.apply(cluster, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'brief' },
      spec: { template: { metadata: { labels: metadata.labels }, spec } },
    });
    await kubectl(cluster, ['wait', 'job/brief', '-n', 'shop', '--for=condition=Complete', '--timeout=60s'], {
      timeoutMs: 70_000,
    });
    await isComplete();
    const pod = kubeletRecord(cluster).find(run => run.pod.startsWith('brief'))?.pod ?? '';
    assert.deepEqual(said(pod), ['Started', 'Terminated']);
    await product.waitFor('its row to go', () => product.row(pod) === undefined);
  });

  test('crash loops: each run once in the log, the rows say why, no attach reaches them', limit, async () => {
    for (const { name, says } of loops) {
      const row = await product.waitForRow(
        `${name} starting again`,
        ({ container, state, reason = '' }) =>
          container.pod === name && state === 'starting' && says.test(reason) && container.restarts > 0,
      );
      const refused = (error: unknown) => error instanceof UserError && error.code === 'container-not-ready';
      if (product.row(name)?.state === 'starting')
        await assert.rejects(product.app.attach.attach(row.container.slot), refused);
    }
    await isComplete();
    assert.match(product.row('no-program')?.container.detection.reason ?? '', /no program after the debug flag/);
    for (const { name } of loops) {
      const about = product.records.filter(({ entry }) => entry.includes(`pod/${name}:`));
      const others = about.filter(({ kind }) => kind !== 'debuggingContainerEvent' && kind !== 'attachEvent');
      assert.ok(others.length <= 1, others.map(({ entry }) => entry).join('\n'));
    }
    for (const { name } of loops) await pods.deletePod(cluster, name, '--wait=false');
  });

  test('a pod that is deleted while its program is paused', limit, async () => {
    const was = await ofWorkload('node');
    const { slot } = was.container;
    await product.app.attach.attach(slot);
    const session = product.row(was.container.pod)?.session;
    assert.ok(session, product.words.join('\n'));
    const client = product.sessions.client(session.id);
    await client.breakAt('/dist/server.js', "=== '/ready'"); // what the kubelet asks each second
    await product.waitForRow('the pause', row => row.container.slot === slot && row.state === 'paused');
    await pods.deletePod(cluster, was.container.pod, '--wait=false');
    await client.closed;
    await product.waitFor('the end of the session', () => product.app.store.state.sessions.size === 0);
    await untilGone(was);
    await isComplete();
    const told = product.records
      .filter(({ entry }) => entry.includes(was.container.pod))
      .map(({ kind, body }) => `${kind} ${String((body as { status?: string }).status)}`);
    for (const wanted of ['attachEvent Attached', 'attachEvent Detached', 'debuggingContainerEvent Terminated'])
      assert.equal(told.filter(text => text === wanted).length, 1, told.join('\n'));
    const is = await ofWorkload('node', was);
    await product.app.attach.attach(is.container.slot);
    const next = product.row(is.container.pod)?.session;
    assert.equal(next?.localPort, session.localPort);
    await product.app.attach.detach(is.container.slot);
  });
});
