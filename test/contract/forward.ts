import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { openForwards } from '../../src/cluster/forward/openForwards.ts';
import { type Transport, TRANSPORTS } from '../../src/cluster/forward/session.ts';
import type { PodRef } from '../../src/core/contracts.ts';
import { failureOf, failureText, UserError } from '../../src/core/errors.ts';
import { followId } from '../../src/core/identity.ts';
import { eventually } from '../integration/demo/support.ts';
import { type ContractCluster, type Login, logIn, podOf } from './cluster.ts';

const limit = { timeout: 120_000 };

/** Opens forwards that end with the test. */
function forwarder(t: TestContext, { access }: Login, transports?: readonly Transport[]) {
  const forwards = openForwards({ accessOf: () => access, ...(transports ? { transports } : {}) });
  t.after(() => forwards.dispose());
  return (pod: PodRef, port: number) => {
    const place = { cluster: pod.cluster, namespace: pod.namespace, container: 'web' };
    return forwards.open({ pod, port, follow: followId(place, pod.pod) }, AbortSignal.timeout(30_000));
  };
}

/** Each time over a connection of its own: one that is kept ends with the pod. */
const ask = async (port: number, path: string): Promise<string> => {
  const signal = AbortSignal.timeout(20_000);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal, headers: { connection: 'close' } });
  assert.equal(response.status, 200);
  return response.text();
};

const failsWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof UserError && error.code === code, failureText(failureOf(error)));
  return true;
};

/**
 * Node 24.22 may never end by itself after a session over a WebSocket was closed while its clients were still ending: it
 * spins in `Environment::CleanupHandles`. This ends the process without that.
 */
const endAtOnce = () => void process.once('exit', () => process.exit());

/** Our own port-forward. */
export function forwardContract(cluster: () => ContractCluster): void {
  endAtOnce();
  for (const transport of TRANSPORTS)
    test(`forward: over ${transport} to the inspector and to the service, many at a time`, limit, async t => {
      const login = await logIn(cluster(), 'admin');
      const open = forwarder(t, login, [transport]);
      const pod = await podOf(login, cluster().workloads.web);
      const inspector = await open(pod, 9229);
      assert.equal(inspector.transport, transport);
      assert.match(await ask(inspector.localPort, '/json/list'), /webSocketDebuggerUrl/);
      const service = await open(pod, 8080);
      await Promise.all(Array.from({ length: 20 }, () => ask(service.localPort, '/ready')));
    });

  test('forward: the least rights are enough', limit, async t => {
    const login = await logIn(cluster(), 'developer');
    const forward = await forwarder(t, login)(await podOf(login, cluster().workloads.web), 9229);
    assert.match(await ask(forward.localPort, '/json/list'), /webSocketDebuggerUrl/);
  });

  test('forward: without the right it says which one is missing', limit, async t => {
    const login = await logIn(cluster(), 'viewer');
    const pod = await podOf(login, cluster().workloads.web);
    await assert.rejects(forwarder(t, login)(pod, 9229), failsWith('forward-forbidden'));
  });

  test('forward: a pod that is not there is gone', limit, async t => {
    const login = await logIn(cluster(), 'admin');
    const pod = await podOf(login, cluster().workloads.web);
    await assert.rejects(forwarder(t, login)({ ...pod, pod: 'nobody', podUid: 'none' }, 9229), failsWith('pod-gone'));
  });

  test('forward: a port where nothing listens ends each connection with the words of the pod', limit, async t => {
    const login = await logIn(cluster(), 'admin');
    const open = forwarder(t, login);
    const pod = await podOf(login, cluster().workloads.web);
    const forward = await open(pod, 9999);
    const problems: string[] = [];
    forward.onProblem(error => void problems.push(error.message));
    // Those before must not hold up the ones behind, although nobody reads what they have sent.
    for (let tries = 1; tries <= 6; tries++) {
      await assert.rejects(ask(forward.localPort, '/'));
      await eventually('the problem', () => problems[tries - 1]);
    }
    for (const problem of problems) assert.match(problem, /connection refused/i);
    const other = await open(pod, 8080);
    await ask(other.localPort, '/ready');
  });

  test('forward: the local port leads to the successor of a deleted pod', limit, async t => {
    const { web } = cluster().workloads;
    const login = await logIn(cluster(), 'admin');
    const pod = await podOf(login, web);
    const forward = await forwarder(t, login)(pod, 8080);
    await ask(forward.localPort, '/ready');
    await cluster().deletePod(pod);
    forward.retarget(await podOf(login, web, pod));
    await ask(forward.localPort, '/ready');
  });
}
