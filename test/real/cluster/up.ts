import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonName } from './components.ts';
import { startDaemon } from './daemons.ts';
import { down } from './down.ts';
import { byCertificate, writeKubeconfig } from './kubeconfig.ts';
import { isReady, kubectl, kubectlJson } from './kubectl.ts';
import { provideNode } from './needs.ts';
import { createNode } from './node.ts';
import { here, imagesFolder } from './paths.ts';
import { makePki } from './pki.ts';
import { until } from './run.ts';
import { type Cluster, type ClusterOptions, planCluster, save } from './state.ts';
import { makeUsers } from './users.ts';

/**
 * Brings a cluster up and waits until its node is ready. Builds first what is not there yet. Leaves nothing behind when it
 * fails or `signal` aborts; with BREAKPOD_CLUSTER_KEEP set, all of it, for a look. A cluster of that name that is there
 * already is an error.
 */
export async function up(options: ClusterOptions = {}, signal?: AbortSignal): Promise<Cluster> {
  const plan = planCluster(options);
  await provideNode(signal);
  signal?.throwIfAborted();
  await mkdir(plan.work).catch((error: unknown) => {
    const removal = `npm run cluster -- down --name ${plan.name}`;
    throw new Error(`There is a cluster "${plan.name}" already. This removes it: ${removal}`, { cause: error });
  });
  try {
    save(plan);
    const cluster = await createNode(plan);
    for (const step of [prepare, startDaemons, makeUsers, nodeReady]) {
      signal?.throwIfAborted();
      await step(cluster);
    }
    return cluster;
  } catch (error) {
    if (!process.env['BREAKPOD_CLUSTER_KEEP']) await down(plan.name);
    throw error;
  }
}

async function prepare(cluster: Cluster): Promise<void> {
  const { work } = cluster;
  for (const folder of ['log', 'cni', 'volume-plugins']) await mkdir(join(work, folder));
  await cp(imagesFolder, join(work, 'registry'), { recursive: true });
  await makePki(join(work, 'pki'), cluster.nodeIp);
  for (const name of ['containerd.toml', 'kubelet.yaml', 'registry.yml']) await fill(name, join(work, name), cluster);
  await fill('cni.json', join(work, 'cni', '10-pods.conflist'), cluster);
  for (const name of ['admin', 'kubelet', 'kube-controller-manager', 'kube-scheduler'])
    await writeKubeconfig(cluster, name, byCertificate(cluster, name));
}

/** Writes a template of `config` with `{{work}}` and the like replaced. */
async function fill(template: string, to: string, { work, nodeIp, cgroup }: Cluster): Promise<void> {
  const values: Readonly<Record<string, string>> = { work, nodeIp, cgroup };
  const text = await readFile(join(here, 'config', template), 'utf8');
  await writeFile(
    to,
    text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? ''),
  );
}

async function startDaemons(cluster: Cluster): Promise<void> {
  const first: DaemonName[] = ['etcd', 'registry', 'containerd', 'kube-apiserver'];
  for (const name of first) await startDaemon(cluster, name);
  await apiReady(cluster);
  const second: DaemonName[] = ['kube-controller-manager', 'kube-scheduler', 'kubelet'];
  for (const name of second) await startDaemon(cluster, name);
}

/** Waits until the API server says that it is ready. */
export async function apiReady(cluster: Cluster): Promise<void> {
  const isReady = async () => (await kubectl(cluster, ['get', '--raw', '/readyz'])) === 'ok';
  await until('the API server', isReady, { timeoutMs: 180_000 });
}

/** Waits until the node runs pods. */
export async function nodeReady(cluster: Cluster): Promise<void> {
  const nodeIsReady = async () => isReady(await kubectlJson(cluster, ['get', 'node', 'node1']));
  await until('the node to be ready', nodeIsReady, { timeoutMs: 180_000 });
  // The controller manager makes each namespace's account `default` a moment later; pods are refused before that.
  const account = () => kubectl(cluster, ['get', 'serviceaccount', 'default', '-n', 'shop']);
  await until('the account default', account, { timeoutMs: 60_000 });
}

/** Makes the pods of `manifests/pods.yaml`, and waits for those of its Deployments. */
export async function applyPods(cluster: Cluster): Promise<void> {
  await kubectl(cluster, ['apply', '-f', join(here, 'manifests', 'pods.yaml')]);
  const wait = ['wait', 'deployment', '--all', '-n', 'shop', '--for=condition=Available', '--timeout=180s'];
  await kubectl(cluster, wait, { timeoutMs: 200_000 });
}
