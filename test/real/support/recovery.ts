// Is what the product shows right again, five seconds after a plain client sees the cluster as it is?
import assert from 'node:assert/strict';
import { type ContainerStatus, kubectl, type KubeObject } from '../cluster/kubectl.ts';
import { podsPath, statusesOf } from '../cluster/faults/pods.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import type { Product } from './product.ts';

/** How long rows may be wrong after a control client was answered. */
const RECOVERY_MS = 5_000;

/**
 * Waits until kubectl, a connection of its own for each question, is answered for that user, then until the product
 * watches and has a row for exactly the containers that run, each with its present run. Throws an `AssertionError` when the
 * latter takes more than five seconds longer; measured from kubectl's answer, a busy machine slows both down.
 */
export async function assertRecovers(cluster: Cluster, product: Product, user: string): Promise<void> {
  const list = () => listPods(cluster, user);
  let pods = await until(`an answer for ${user}`, list, { timeoutMs: 120_000 });
  const since = Date.now();
  for (;;) {
    const differences = [product.problem, ...differencesOf(pods, product)].filter(Boolean);
    if (differences.length === 0 && product.isWatching) return;
    if (Date.now() - since > RECOVERY_MS)
      assert.fail(`${user}: rows are not right after 5 s:\n${differences.join('\n')}\n${product.words.join('\n')}`);
    pods = (await list().catch(() => undefined)) ?? pods;
  }
}

async function listPods(cluster: Cluster, user: string): Promise<readonly KubeObject[]> {
  const answer = await kubectl(cluster, ['get', '--raw', podsPath], { user, timeoutMs: 20_000 });
  return (JSON.parse(answer) as KubeObject).items;
}

/** All that run in `shop` can be debugged, but for `setup`, an init container. */
function differencesOf(pods: readonly KubeObject[], product: Product): string[] {
  const running = pods.flatMap(pod =>
    statusesOf(pod)
      .filter(({ name, state }) => name !== 'setup' && state.running)
      .map(status => textOf(pod, status)),
  );
  const shown = product.rows
    .filter(({ container: { phase } }) => phase.kind === 'running' || phase.kind === 'terminating')
    .map(({ container: c }) => `${c.pod} ${c.podUid} ${c.container} ${c.containerId}`);
  const missing = running.filter(text => !shown.includes(text)).map(text => `no row: ${text}`);
  const tooMuch = shown.filter(text => !running.includes(text)).map(text => `does not run: ${text}`);
  return [...missing, ...tooMuch];
}

const textOf = ({ metadata: { name, uid } }: KubeObject, status: ContainerStatus): string =>
  `${name} ${uid} ${status.name} ${status.containerID}`;
