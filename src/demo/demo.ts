import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failureOf, failureText, UserError } from '../core/errors.ts';
import { Disposables } from '../lib/disposable.ts';
import { createAuthority } from './api/certificates.ts';
import { kubeconfig } from './api/kubeconfig.ts';
import { Namespaces } from './api/namespaces.ts';
import { PodStore } from './api/podStore.ts';
import { ApiServer } from './api/server.ts';
import { Users } from './api/users.ts';
import type { WatchBehaviour } from './api/watchPods.ts';
import { Deployment, isReady } from './controllers/deployment.ts';
import { startJob } from './controllers/job.ts';
import { waitFor } from './controllers/waitFor.ts';
import { Images } from './images/images.ts';
import type { RestartBackoff } from './kubelet/container.ts';
import { Kubelet } from './kubelet/kubelet.ts';
import { ownNode, type NodeCommand } from './kubelet/reaper.ts';
import type { PodTemplate } from './kubelet/template.ts';
import { createLogins } from './logins.ts';
import { startTraffic } from './traffic.ts';
import { NAMESPACES, WORKLOADS, type Workload } from './workloads.ts';

export interface DemoOptions {
  /** Where workspace, images and kubeconfig go, for one demo at a time. A workspace that is there already is kept. */
  readonly directory: string;
  /** The folder `media/demo`. */
  readonly sources: string;
  /** Default: all that this machine can run. */
  readonly workloads?: readonly Workload[];
  /** Whether Java services run when a JDK is there; default `auto`. */
  readonly java?: 'auto' | 'off';
  /** Whether somebody buys at the shop every second. */
  readonly traffic?: boolean;
  readonly backoff?: RestartBackoff;
  readonly watches?: Partial<WatchBehaviour>;
  /** The Node that runs containers; default: this one. */
  readonly node?: NodeCommand;
  /** Told what is left out, and why. */
  readonly onNote?: (text: string) => void;
}

/** Starts the demo cluster; resolves when its API server listens and its JavaScript and TypeScript pods are there. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { directory, sources } = options;
  const workspace = join(directory, 'workspace');
  await mkdir(directory, { recursive: true });
  await rm(join(directory, 'images'), { recursive: true, force: true }); // of an earlier run
  await cp(sources, workspace, { recursive: true, force: false });
  const demo = new Demo(options, workspace);
  try {
    await demo.start();
  } catch (error) {
    await demo.stop();
    throw error;
  }
  return demo;
}

/** A Deployment, and what it is built from. */
interface Running {
  readonly workload: Workload;
  readonly deployment: Deployment;
}

/** A running demo cluster. */
export class Demo {
  readonly workspace: string;
  readonly kubeconfigFile: string;
  readonly store = new PodStore();
  readonly users = new Users();
  /** May be changed while it runs. */
  readonly watches: WatchBehaviour;
  private readonly options: DemoOptions;
  private readonly authority = createAuthority();
  private readonly kubelet: Kubelet;
  private readonly images: Images;
  private readonly api: ApiServer;
  private readonly deployments = new Map<string, Running>();
  private readonly resources = new Disposables();
  private later: Promise<unknown> = Promise.resolve();
  private stopped: Promise<void> | undefined;

  /** Use `startDemo`. */
  constructor(options: DemoOptions, workspace: string) {
    const { directory, backoff = { firstMs: 2_000, mostMs: 30_000 }, node = ownNode() } = options;
    this.options = options;
    this.workspace = workspace;
    this.kubeconfigFile = join(directory, 'kubeconfig');
    this.watches = { bookmarkMs: 60_000, streamingLists: 'on', gone: 'error-event', ...options.watches };
    this.images = new Images(workspace, join(directory, 'images'));
    this.kubelet = new Kubelet({ store: this.store, node, backoff });
    const { store, kubelet, watches } = this;
    const cluster = { store, kubelet, watches, namespaces: new Namespaces(NAMESPACES) };
    this.api = new ApiServer({ authority: this.authority, users: this.users, cluster });
  }

  /** URL of the API server. */
  get server(): string {
    return this.api.url;
  }

  async start(): Promise<void> {
    await this.api.start();
    const logins = createLogins(this.authority, this.users);
    const file = kubeconfig(this.api.url, this.authority.certificate, logins);
    await writeFile(this.kubeconfigFile, file, { mode: 0o600 });
    const { workloads = WORKLOADS, java = 'auto', traffic = false } = this.options;
    const slow = workloads.filter(workload => workload.language === 'java');
    await Promise.all(workloads.filter(workload => !slow.includes(workload)).map(workload => this.run(workload)));
    if (java === 'auto') this.later = Promise.all(slow.map(workload => this.run(workload)));
    if (traffic) this.resources.add(startTraffic(() => this.addressOf('shop', 'web', 8080)));
  }

  /** Starts a workload. One that cannot be built here is left out, and the note says why. */
  async run(workload: Workload): Promise<void> {
    const { namespace, name, kind } = workload;
    const context = { store: this.store, kubelet: this.kubelet };
    try {
      const template = await this.template(workload);
      if (this.stopped) return;
      if (kind === 'Job') startJob(namespace, name, template, context);
      else {
        const deployment = new Deployment(namespace, name, template, context);
        this.deployments.set(`${namespace}/${name}`, { workload, deployment });
      }
    } catch (error) {
      this.options.onNote?.(`${namespace}/${name} is left out. ${failureText(failureOf(error))}`);
    }
  }

  /** Restarts a container in place; resolves with the container ID of the new run. */
  async restart(namespace: string, pod: string, container: string): Promise<string> {
    const name = this.podName(namespace, pod);
    const found = this.kubelet.find(namespace, name)?.container(container);
    if (!found) throw noSuch(`container ${container} in pod ${namespace}/${name}`);
    const before = found.status.containerID;
    await found.end();
    await waitFor(this.store, () => found.status.state.running !== undefined && found.status.containerID !== before);
    return found.status.containerID!;
  }

  /** Deletes a pod as `kubectl delete pod` does; resolves with the name of the successor when that is ready. */
  async replace(namespace: string, pod: string): Promise<string> {
    const name = this.podName(namespace, pod);
    const stored = this.store.get(namespace, name)!.pod;
    const isIts = ({ deployment: { pod: current } }: Running) => current?.metadata.uid === stored.metadata.uid;
    const deployment = [...this.deployments.values()].find(isIts)?.deployment;
    if (!deployment) throw noSuch(`workload of pod ${namespace}/${name}`);
    this.kubelet.delete(namespace, name, stored.spec.terminationGracePeriodSeconds * 1000);
    const successor = () => (deployment.pod?.metadata.uid === stored.metadata.uid ? undefined : deployment.pod);
    await waitFor(this.store, () => {
      const next = successor();
      return next !== undefined && isReady(next);
    });
    return successor()!.metadata.name;
  }

  /** Builds a workload anew from the workspace and rolls it out; resolves with the new pod's name. */
  async rollout(namespace: string, name: string): Promise<string> {
    const found = this.deployments.get(`${namespace}/${name}`);
    if (!found) throw noSuch(`deployment ${namespace}/${name}`);
    const { deployment, workload } = found;
    await deployment.rollout(await this.template(workload));
    return deployment.pod!.metadata.name;
  }

  /** Deletes a deployment as `kubectl delete deployment` does; resolves when its last pod has gone. */
  async remove(namespace: string, name: string): Promise<void> {
    const key = `${namespace}/${name}`;
    const deployment = this.deployments.get(key)?.deployment;
    if (!deployment) throw noSuch(`deployment ${key}`);
    this.deployments.delete(key);
    deployment.dispose();
    await deployment.end();
  }

  /** Where a port of a workload's pod listens, past the API server. */
  addressOf(namespace: string, name: string, port: number): { host: string; port: number } | undefined {
    const pod = this.deployments.get(`${namespace}/${name}`)?.deployment.pod;
    return pod && this.kubelet.find(namespace, pod.metadata.name)?.find(port);
  }

  /** The processes that run containers now. */
  get pids(): readonly number[] {
    return this.kubelet.pids;
  }

  /** Ends the API server as SIGKILL does; pods live on. */
  async killApiServer(): Promise<void> {
    await this.api.kill();
  }

  /** Starts it again on the same port. It knows no changes from before, as a real one does not. */
  async startApiServer(): Promise<void> {
    this.store.compact();
    await this.api.start();
  }

  /** Breaks all connections to the API server. */
  dropConnections(): void {
    this.api.dropConnections();
  }

  /** Forgets all changes so far: older versions are 410. */
  compact(): void {
    this.store.compact();
  }

  /** Ends everything that was started; resolves when the last process has gone. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.resources.dispose();
    await this.later;
    for (const { deployment } of this.deployments.values()) deployment.dispose();
    await this.api.kill();
    await this.kubelet.close();
  }

  private async template(workload: Workload): Promise<PodTemplate> {
    return workload.template(await this.images.build(workload));
  }

  /** A pod by its name, or by that of its deployment. */
  private podName(namespace: string, name: string): string {
    if (this.store.get(namespace, name)) return name;
    const pod = this.deployments.get(`${namespace}/${name}`)?.deployment.pod;
    if (!pod) throw noSuch(`pod ${namespace}/${name}`);
    return pod.metadata.name;
  }
}

const noSuch = (what: string) => new UserError('demo-not-found', `The demo cluster has no ${what}.`);
