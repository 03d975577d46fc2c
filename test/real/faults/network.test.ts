// The network between host and node fails, while pods change: nothing is lost, and all of it is said.
import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import { type ForwardsOptions, openForwards } from '../../../src/cluster/forward/openForwards.ts';
import type { PortForward } from '../../../src/cluster/forward/portForward.ts';
import { TRANSPORTS } from '../../../src/cluster/forward/session.ts';
import { afterSuite, eventually } from '../../integration/demo/support.ts';
import { DelayProxy } from '../cluster/faults/delayProxy.ts';
import { deaf, type Fault, kubectlInNode, linkDown, refusing } from '../cluster/faults/network.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { echo, EchoFlow, lifeOfEcho, startEcho } from '../support/echo.ts';
import { assertLogIsComplete } from '../support/kubeletRecordCompare.ts';
import { killRun } from '../support/killRun.ts';
import { type Product, startProduct } from '../support/product.ts';
import { assertRecovers } from '../support/recovery.ts';

const limit = { timeout: 240_000 };

suite('the network to the real node', { skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  before(async () => {
    cluster = await clusterFor(after, { name: 'network' });
    await startEcho(cluster);
  });

  /** What the product has open must be gone after a test. */
  const openSockets = () => process.getActiveResourcesInfo().filter(name => /^TCP|^TLS/.test(name)).length;

  async function productFor(t: TestContext, user = 'admin'): Promise<Product> {
    const product = await startProduct(cluster, { user });
    t.after(() => product.dispose());
    return product;
  }

  /** A forward to the echo that ends with the test, and what it says. */
  async function forwardFor(t: TestContext, product: Product, options: Partial<ForwardsOptions> = {}) {
    const { cluster: place, namespace, pod, podUid, follow } = product.row(echo.pod)!.container;
    const forwards = openForwards({ accessOf: id => product.watching.accessOf(id), ...options });
    t.after(() => forwards.dispose());
    const target = { pod: { cluster: place, namespace, pod, podUid }, port: echo.port, follow };
    const forward = await forwards.open(target, AbortSignal.timeout(60_000));
    const problems: string[] = [];
    forward.onProblem(error => void problems.push(error.message));
    return { forward, problems };
  }

  async function flowOver(t: TestContext, { localPort }: PortForward): Promise<EchoFlow> {
    const flow = new EchoFlow(localPort);
    t.after(() => flow.close());
    await until('bytes in both directions', () => flow.received > 64 << 10);
    return flow;
  }

  const attachToEcho = async (product: Product): Promise<number> => {
    const { slot } = product.row(echo.pod)!.container;
    await product.app.attach.attach(slot);
    return product.row(echo.pod)!.session!.localPort;
  };

  interface Case {
    readonly name: string;
    readonly fault: Fault;
    readonly problem: RegExp;
    /** Whose program ends meanwhile. */
    readonly victim: readonly [pod: string, container: string];
  }
  // Each lasts until the product has noticed it by itself.
  const cases: readonly Case[] = [
    {
      name: 'the link is down',
      fault: linkDown,
      problem: /^The API server \S+ cannot be reached\. \(.*(ETIMEDOUT|EHOSTUNREACH).*\) Check the network or VPN\.$/,
      victim: ['flags', 'web'],
    },
    {
      name: 'packets vanish',
      fault: deaf,
      problem: /^The API server \S+ cannot be reached\. \((read ETIMEDOUT|no answer .*)\) Check the network or VPN\.$/,
      victim: ['two', 'front'],
    },
    {
      name: 'connections are reset and refused',
      fault: refusing,
      problem: /^The API server \S+ cannot be reached\. \(.*(ECONNRESET|ECONNREFUSED).*\) Check that the cluster runs/,
      victim: ['sidecar', 'web'],
    },
  ];

  for (const { name, fault, problem, victim } of cases)
    test(`${name}: while watching, in a forward, in a stop`, limit, async t => {
      const openBefore = openSockets();
      const life = await lifeOfEcho(cluster);
      const product = await productFor(t);
      await product.waitForRow('the echo', row => row.container.pod === echo.pod && row.state === 'ready');
      const attachedAt = await attachToEcho(product);
      const limits = { pingMs: 1_000 };
      const ways = await Promise.all(TRANSPORTS.map(one => forwardFor(t, product, { transports: [one], limits })));
      const flows = await Promise.all(ways.map(({ forward }) => flowOver(t, forward)));
      const stopped = await forwardFor(t, product);
      const cutOff = await flowOver(t, stopped.forward);
      const [pod, container] = victim;

      let detached: Promise<void>;
      await fault.begin(cluster);
      try {
        await killRun(cluster, pod, container);
        await kubectlInNode(cluster, 'delete', 'pod', '-n', 'shop', '-l', 'app=node', '--wait=false');
        detached = product.app.attach.detach(product.row(echo.pod)!.container.slot);
        detached.catch(() => undefined); // it is awaited below
        stopped.forward.dispose();
        await until('the end of what was stopped', () => !cutOff.isOpen);
        assert.match(await product.waitFor('the problem', () => product.problem), problem);
        assert.ok(product.rows.every(row => row.isStale));
        await until('the ends of the connections', () => flows.every(flow => !flow.isOpen));
        for (const { problems } of ways) assert.ok(problems.length > 0, 'a connection ended without a reason');
        await kubectlInNode(cluster, 'rollout', 'status', 'deployment/node', '-n', 'shop', '--timeout=60s');
        await kubectlInNode(cluster, 'wait', `pod/${pod}`, '-n', 'shop', '--for=condition=Ready', '--timeout=60s');
      } finally {
        await fault.end(cluster);
      }
      await assertRecovers(cluster, product, 'admin');
      await detached;
      assert.equal(product.row(echo.pod)!.session, undefined);
      const again = await Promise.all(ways.map(({ forward }) => flowOver(t, forward)));
      for (const flow of [...flows, cutOff, ...again]) assert.equal(flow.wrongAt, undefined);
      assert.equal(await attachToEcho(product), attachedAt);
      await product.app.attach.detach(product.row(echo.pod)!.container.slot);
      await assertLogIsComplete(cluster, product);
      assert.deepEqual(await lifeOfEcho(cluster), life);

      for (const flow of again) flow.close();
      for (const { forward } of ways) forward.dispose();
      product.dispose();
      await eventually('the end of all connections', () => openSockets() <= openBefore || undefined);
    });

  test('200 ms in each direction: rows, forward, attach and stop as ever, and after a reset again', limit, async t => {
    const proxy = await DelayProxy.start(cluster, 200);
    t.after(() => proxy.stop());
    const life = await lifeOfEcho(cluster);
    const product = await productFor(t, 'slow');
    const way = await forwardFor(t, product);
    const flow = await flowOver(t, way.forward);
    const attachedAt = await attachToEcho(product);
    await killRun(cluster, 'db-0', 'web');
    await assertRecovers(cluster, product, 'admin');
    const detached = product.app.attach.detach(product.row(echo.pod)!.container.slot);
    detached.catch(() => undefined); // it is awaited below
    proxy.cut();
    await until('the end of the connection', () => !flow.isOpen);
    assert.match(way.problems.join('\n'), /ECONNRESET/);
    await detached;
    await killRun(cluster, 'flags', 'web');
    await assertRecovers(cluster, product, 'admin');
    const again = await flowOver(t, way.forward);
    assert.deepEqual([flow.wrongAt, again.wrongAt], [undefined, undefined]);
    assert.equal(await attachToEcho(product), attachedAt);
    await assertLogIsComplete(cluster, product);
    product.dispose();
    way.forward.dispose();
    await until('the end of all connections', () => proxy.open === 0);
    assert.deepEqual(await lifeOfEcho(cluster), life);
  });
});
