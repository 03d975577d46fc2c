// What happens to pods of the namespace `shop`.
import { type ContainerStatus, kubectl, kubectlJson, type KubeObject } from '../kubectl.ts';
import { isAlive, kill, processOfContainer } from '../processes.ts';
import { until } from '../run.ts';
import type { Cluster } from '../state.ts';

const inShop = ['-n', 'shop'];

/** Statuses of all containers of a pod. The API server sorts those of one kind by name. */
export const statusesOf = ({ status }: KubeObject): ContainerStatus[] => [
  ...(status.initContainerStatuses ?? []),
  ...(status.containerStatuses ?? []),
  ...(status.ephemeralContainerStatuses ?? []),
];

/** A pod; throws `CommandError` when there is none. */
export const podNamed = (cluster: Cluster, name: string): Promise<KubeObject> =>
  kubectlJson(cluster, ['get', 'pod', name, ...inShop]);

/** Kills the container's process 1, and gives the container's id. It restarts in place: same pod, another container id. */
export async function killContainer(cluster: Cluster, pod: string, container: string): Promise<string> {
  const status = statusesOf(await podNamed(cluster, pod)).find(({ name }) => name === container);
  const id = status?.containerID?.replace('containerd://', '');
  const victim = id && processOfContainer(cluster.cgroup, id);
  if (!id || !victim) throw new Error(`no process of ${pod}: ${container}`);
  kill(victim);
  await until(`${container} to end`, () => !isAlive(victim), { timeoutMs: 10_000 });
  return id;
}

export const deletePod = (cluster: Cluster, pod: string, ...flags: string[]): Promise<string> =>
  kubectl(cluster, ['delete', 'pod', pod, ...inShop, ...flags], { timeoutMs: 120_000 });

/** Gives a Deployment's pods successors. */
export async function restartRollout(cluster: Cluster, deployment: string): Promise<void> {
  await kubectl(cluster, ['rollout', 'restart', `deployment/${deployment}`, ...inShop]);
  const wait = ['rollout', 'status', `deployment/${deployment}`, ...inShop, '--timeout=120s'];
  await kubectl(cluster, wait, { timeoutMs: 130_000 });
}

/** Asks for a pod's eviction, as `kubectl drain` does. */
export const evict = (cluster: Cluster, pod: string): Promise<string> =>
  kubectl(cluster, ['create', '--raw', `${podsPath}/${pod}/eviction`, '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'shop' } }),
  });

/** Makes or changes an object; one without a namespace goes to `shop`. */
export const apply = (cluster: Cluster, object: object): Promise<string> =>
  kubectl(cluster, ['apply', ...inShop, '-f', '-'], { input: JSON.stringify(object) });

/** Changes a pod by a merge patch. */
export const patch = (cluster: Cluster, pod: string, change: object): Promise<string> =>
  kubectl(cluster, ['patch', 'pod', pod, ...inShop, '--type=merge', '-p', JSON.stringify(change)]);

/** What a pod of `nodePod` may have beside its one container `web`. */
export interface PodExtras {
  readonly metadata?: object;
  readonly spec?: object;
  readonly container?: object;
}

/** A pod with one Node container `web`, which can be debugged by its command line. */
export const nodePod = (name: string, command: readonly string[], { metadata, spec, container }: PodExtras = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name }, ...metadata },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'web', image: 'breakpod.test/node:1', command, ...container }],
    ...spec,
  },
});

/** Adds an ephemeral container to a running pod, as a person does with `kubectl debug`, and waits until it runs. */
export async function addEphemeral(
  cluster: Cluster,
  pod: string,
  name: string,
  command: readonly string[],
): Promise<ContainerStatus> {
  const image = ['--image=breakpod.test/node:1', `--container=${name}`, '--profile=general', '--attach=false'];
  await kubectl(cluster, ['debug', pod, ...inShop, ...image, '--', ...command]);
  return until(`the ephemeral container ${name}`, async () =>
    statusesOf(await podNamed(cluster, pod)).find(status => status.name === name && status.state.running),
  );
}

/** Changes a pod without any consequence, so that watches have an event. */
export const touch = (cluster: Cluster, pod = 'flags'): Promise<string> =>
  kubectl(cluster, ['annotate', 'pod', pod, ...inShop, `touched=${Date.now()}`, '--overwrite']);

/** The pods of `shop`, as a path of the API. */
export const podsPath = '/api/v1/namespaces/shop/pods';
