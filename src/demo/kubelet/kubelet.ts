import { rfc3339, type Pod } from '../api/objects.ts';
import { Leases } from '../api/leases.ts';
import { PodEvents } from '../api/podEvents.ts';
import type { PodStore } from '../api/podStore.ts';
import type { RestartBackoff } from './container.ts';
import { PodWorker } from './podWorker.ts';
import { Processes } from './processes.ts';
import type { NodeCommand } from './reaper.ts';
import type { PodTemplate } from './template.ts';

export interface KubeletOptions {
  readonly store: PodStore;
  readonly node: NodeCommand;
  readonly backoff: RestartBackoff;
}

/** The node: runs the containers of the pods that it is given as processes of this machine. */
export class Kubelet {
  private readonly store: PodStore;
  private readonly processes: Processes;
  private readonly backoff: RestartBackoff;
  /** What it tells of its pods. */
  readonly events = new PodEvents();
  /** Those that programs on it hold. */
  readonly leases = new Leases();
  private readonly workers = new Map<string, PodWorker>();

  constructor({ store, node, backoff }: KubeletOptions) {
    this.store = store;
    this.processes = new Processes(node);
    this.backoff = backoff;
  }

  get pids(): readonly number[] {
    return this.processes.pids;
  }

  /** Puts a pod into the store and starts it. */
  run(pod: Pod, template: PodTemplate): void {
    this.store.create(pod);
    const worker = new PodWorker(pod, template, {
      store: this.store,
      processes: this.processes,
      backoff: this.backoff,
      events: this.events,
      leases: this.leases,
    });
    this.workers.set(worker.uid, worker);
    worker.start();
  }

  /** The worker of a pod; `undefined` for a pod without processes, or when it is gone. */
  find(namespace: string, name: string): PodWorker | undefined {
    const uid = this.store.get(namespace, name)?.pod.metadata.uid;
    return uid === undefined ? undefined : this.workers.get(uid);
  }

  /**
   * Deletes a pod as the API does: it shows as terminating, its processes get SIGTERM, after `graceMs` SIGKILL, and then
   * it goes. A grace of 0 takes it away at once.
   */
  delete(namespace: string, name: string, graceMs: number): void {
    const worker = this.find(namespace, name);
    if (graceMs > 0 && worker) this.markTerminating(namespace, name, graceMs);
    else this.store.delete(namespace, name);
    void worker?.terminate(graceMs).then(() => this.workers.delete(worker.uid));
  }

  /** Ends all processes at once. */
  async close(): Promise<void> {
    await Promise.all([...this.workers.values()].map(worker => worker.terminate(0)));
    await this.processes.close();
  }

  private markTerminating(namespace: string, name: string, graceMs: number): void {
    this.store.update(namespace, name, ({ metadata }) => {
      metadata.deletionTimestamp = rfc3339(new Date(Date.now() + graceMs));
      metadata.deletionGracePeriodSeconds = graceMs / 1000;
    });
  }
}
