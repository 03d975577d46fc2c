import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { kubeconfigOf } from './kubeconfig.ts';
import { bin } from './paths.ts';
import { run, type RunOptions } from './run.ts';
import type { Cluster } from './state.ts';

export interface KubectlOptions extends RunOptions {
  /** Whose kubeconfig; `admin` unless given. */
  readonly user?: string;
}

const flags = (cluster: Cluster, user: string): string[] => ['--kubeconfig', kubeconfigOf(cluster, user)];

/** Its cache of API groups goes to the cluster's folder, not to the caller's home. */
const environmentFor = ({ work }: Cluster) => ({ ...process.env, KUBECACHEDIR: `${work}/kubectl-cache` });

/** Runs kubectl to its end and gives what it printed. Throws `CommandError`. */
export const kubectl = (cluster: Cluster, args: readonly string[], options: KubectlOptions = {}): Promise<string> => {
  const { user = 'admin', ...others } = options;
  return run(bin('kubectl'), [...flags(cluster, user), ...args], { env: environmentFor(cluster), ...others });
};

/** As much as tests read of an object of the API. */
export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
  readonly items: readonly KubeObject[];
  readonly status: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly containerID?: string;
  readonly state: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode: number };
  };
}

/** What kubectl gets, as objects. */
export const kubectlJson = async (cluster: Cluster, args: readonly string[]): Promise<KubeObject> =>
  JSON.parse(await kubectl(cluster, [...args, '-o', 'json'])) as KubeObject;

/** Starts a kubectl that keeps running (port-forward, logs -f). The caller ends it. */
export const spawnKubectl = (
  cluster: Cluster,
  args: readonly string[],
  user = 'admin',
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(bin('kubectl'), [...flags(cluster, user), ...args], {
    env: environmentFor(cluster),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

export const isReady = ({ status }: KubeObject): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
