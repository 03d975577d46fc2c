// The node's own programs, ended and started again. `meanwhile` runs while they are away.
import { join } from 'node:path';
import type { DaemonName } from '../components.ts';
import { startDaemon, stopDaemon } from '../daemons.ts';
import { kubectl } from '../kubectl.ts';
import { run, until } from '../run.ts';
import type { Cluster } from '../state.ts';
import { apiReady, nodeReady } from '../up.ts';

type Meanwhile = () => Promise<unknown>;

/** In good order: open watches end. */
export async function restartApiServer(cluster: Cluster, meanwhile?: Meanwhile): Promise<void> {
  await restart(cluster, 'kube-apiserver', meanwhile);
  await apiReady(cluster);
}

/** As a crash: connections are reset, nobody says goodbye. */
export async function killApiServer(cluster: Cluster, meanwhile: Meanwhile): Promise<void> {
  await restart(cluster, 'kube-apiserver', meanwhile, 'SIGKILL');
  await apiReady(cluster);
}

/** Containers live on; port-forwards end, for each runs through the kubelet to containerd. */
export async function restartKubelet(cluster: Cluster, meanwhile?: Meanwhile): Promise<void> {
  await restart(cluster, 'kubelet', meanwhile);
  // For the API server a node is ready for a while after its kubelet has gone: so the kubelet itself is asked.
  const answers = async () => (await kubectl(cluster, ['get', '--raw', '/api/v1/nodes/node1/proxy/healthz'])) === 'ok';
  await until('the kubelet', answers, { timeoutMs: 90_000 });
  await nodeReady(cluster);
}

/** Containers live on, for their parents are the shims; port-forwards end. */
export async function restartContainerd(cluster: Cluster, meanwhile?: Meanwhile): Promise<void> {
  await restart(cluster, 'containerd', meanwhile);
  const isBack = () => run('ctr', ['--address', join(cluster.work, 'containerd.sock'), 'version']);
  await until('containerd', isBack, { timeoutMs: 30_000 });
}

/** Open watches and port-forwards stay, for the API server lives on; requests fail until etcd is back. */
export async function restartEtcd(cluster: Cluster, meanwhile?: Meanwhile): Promise<void> {
  await restart(cluster, 'etcd', meanwhile);
  await apiReady(cluster);
}

async function restart(
  cluster: Cluster,
  name: DaemonName,
  meanwhile?: Meanwhile,
  signal?: NodeJS.Signals,
): Promise<void> {
  await stopDaemon(cluster, name, signal);
  try {
    await meanwhile?.();
  } finally {
    await startDaemon(cluster, name);
  }
}
