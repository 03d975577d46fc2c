import { homedir } from 'node:os';
import type { Access, KubeApi } from '../../src/cluster/access.ts';
import { kubeApi } from '../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';
import type { Pod } from '../../src/cluster/pods/pod.ts';
import { bodyOf } from '../../src/cluster/watch/body.ts';
import type { PodRef } from '../../src/core/contracts.ts';
import { eventually } from '../integration/demo/support.ts';

/** `developer` may see pods and logs and forward in the namespace `shop` only, `viewer` may see there and not forward. */
export type LoginName = 'admin' | 'developer' | 'viewer';

/** Pods that every cluster of the contract runs, found by the label `app`. */
export interface Workload {
  readonly namespace: string;
  readonly app: string;
  /** Containers that are debuggable. */
  readonly containers: readonly string[];
}

/**
 * What a cluster has to offer so that the contract can be tested on it. Workloads are Node services with the inspector:
 * `web`, a Deployment with Skaffold's annotation, which inspects on 9229, serves on 8080 and answers at /ready; `flags` with
 * nothing but its command line; `pair` with two debuggable containers; `crash` ends soon after each start;
 * `silent` in `shop`, whose annotation names a port where nothing listens; `plain` in `shop`, which runs without the inspector. `jvm`, with the debug agent, is there where a JDK is.
 */
export interface ContractCluster {
  kubeconfig(login: LoginName): { readonly file: string; readonly context?: string };
  readonly workloads: Readonly<Record<'web' | 'flags' | 'pair' | 'crash' | 'silent' | 'plain', Workload>> & {
    readonly jvm?: Workload;
  };
  /** Ends the program of a container, so that it restarts in place. */
  restartContainer(pod: PodRef, container: string): Promise<unknown>;
  /** Deletes a pod of a Deployment. */
  deletePod(pod: PodRef): Promise<unknown>;
}

/** A login, as Breakpod itself would use it. */
export interface Login {
  readonly access: Access;
  readonly api: KubeApi;
}

export async function logIn(cluster: ContractCluster, name: LoginName): Promise<Login> {
  const { file, context } = cluster.kubeconfig(name);
  const kubeconfig = await loadKubeconfig({ env: process.env, home: homedir(), explicitFile: file });
  const access = accessOf(kubeconfig, context);
  return { access, api: kubeApi(access) };
}

/** The text that a path of the API answers with. Throws `ApiError`. */
export async function get({ api }: Login, path: string, signal = AbortSignal.timeout(30_000)): Promise<string> {
  const body = await bodyOf(await api.get(path, signal), { signal, idleMs: () => 20_000 });
  return body.toString();
}

/** The pod of a workload that runs and is ready now, and is not being deleted; not the `other` one. */
export const podOf = (login: Login, workload: Workload, other?: PodRef): Promise<PodRef> =>
  findPod(login, workload, pod => isUsable(pod) && pod.metadata?.uid !== other?.podUid);

/** Waits for a pod of a workload that is as `isSo` wants it. */
export function findPod(login: Login, { namespace, app }: Workload, isSo: (pod: Pod) => boolean): Promise<PodRef> {
  return eventually(`a pod of ${app}`, async () => {
    const list = JSON.parse(await get(login, `/api/v1/namespaces/${namespace}/pods?labelSelector=app%3D${app}`)) as {
      readonly items: readonly Pod[];
    };
    const metadata = list.items.find(isSo)?.metadata;
    if (!metadata) return undefined;
    return { cluster: login.access.cluster, namespace, pod: metadata.name ?? '', podUid: metadata.uid ?? '' };
  });
}

/** It runs, is ready and is not being deleted. */
export const isUsable = ({ metadata, status }: Pod): boolean =>
  !metadata?.deletionTimestamp && (status?.containerStatuses?.every(({ ready }) => ready) ?? false);
