// The node's own programs, ended and started again.
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { startDaemon, stopDaemon } from '../daemons.ts';
import { run, until } from '../run.ts';
import type { Cluster } from '../state.ts';
import { apiReady, nodeReady } from '../up.ts';

/** In good order: open watches end. */
export async function restartApiServer(cluster: Cluster): Promise<void> {
  await stopDaemon(cluster, 'kube-apiserver');
  await startDaemon(cluster, 'kube-apiserver');
  await apiReady(cluster);
}

/** As a crash: connections are reset, nobody says goodbye. */
export async function killApiServer(cluster: Cluster, awayMs = 5_000): Promise<void> {
  await stopDaemon(cluster, 'kube-apiserver', 'SIGKILL');
  await delay(awayMs);
  await startDaemon(cluster, 'kube-apiserver');
  await apiReady(cluster);
}

/** Containers live on; port-forwards end, for each runs through the kubelet to containerd. */
export async function restartKubelet(cluster: Cluster): Promise<void> {
  await stopDaemon(cluster, 'kubelet');
  await startDaemon(cluster, 'kubelet');
  await nodeReady(cluster);
}

/** Containers live on, for their parents are the shims; port-forwards end. */
export async function restartContainerd(cluster: Cluster): Promise<void> {
  await stopDaemon(cluster, 'containerd');
  await startDaemon(cluster, 'containerd');
  const isBack = () => run('ctr', ['--address', join(cluster.work, 'containerd.sock'), 'version']);
  await until('containerd', isBack, { timeoutMs: 30_000 });
}
