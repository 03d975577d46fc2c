import { randomBytes } from 'node:crypto';
import { rfc3339, type Pod } from '../api/objects.ts';
import type { Leases } from '../api/leases.ts';
import type { PodEvents } from '../api/podEvents.ts';
import type { PodStore } from '../api/podStore.ts';
import type { ForwardPod, Target } from '../portForward/pod.ts';
import { Container, type RestartBackoff } from './container.ts';
import { conditionsOf, phaseOf } from './podStatus.ts';
import type { Processes } from './processes.ts';
import type { PodTemplate } from './template.ts';

/** What the workers of all pods share. */
export interface NodeContext {
  readonly store: PodStore;
  readonly processes: Processes;
  readonly backoff: RestartBackoff;
  readonly events: PodEvents;
  readonly leases: Leases;
}

export const NODE_NAME = 'breakpod-demo';
const HOST_IP = '10.88.0.1';
let lastAddress = 1;

/** One pod on the node: starts its containers, reports their states, ends them. */
export class PodWorker implements ForwardPod {
  readonly uid: string;
  readonly sandbox = randomBytes(32).toString('hex');
  readonly containers: readonly Container[];
  private readonly pod: Pod;
  private readonly leases: readonly string[];
  private readonly context: NodeContext;
  private readonly address = `10.244.${(lastAddress += 1) >> 8}.${lastAddress & 0xff}`;
  private readonly startTime = rfc3339();
  private readonly going = new AbortController();
  private ending = false;
  readonly gone = this.going.signal;

  constructor(pod: Pod, template: PodTemplate, context: NodeContext) {
    this.pod = pod;
    this.uid = pod.metadata.uid;
    this.leases = template.leases ?? [];
    this.context = context;
    const { name, namespace, uid } = pod.metadata;
    this.containers = template.containers.map(
      container =>
        new Container({
          template: container,
          podName: name,
          podText: `${name}_${namespace}(${uid})`,
          restartPolicy: pod.spec.restartPolicy,
          graceMs: pod.spec.terminationGracePeriodSeconds * 1000,
          backoff: context.backoff,
          processes: context.processes,
          onDidChange: () => this.report(),
          onEvent: event => context.events.tell(pod, container.name, event),
        }),
    );
  }

  /** Takes the pod on: scheduled, then its containers created, then running, each its own change. */
  start(): void {
    this.update(draft => {
      draft.spec.nodeName = NODE_NAME;
      const at = { lastProbeTime: null, lastTransitionTime: rfc3339() };
      draft.status.conditions = [{ type: 'PodScheduled', status: 'True', ...at }];
    });
    this.report();
    for (const name of this.leases) this.context.leases.acquire(this.pod, name);
    for (const container of this.containers) container.start();
  }

  /** Ends the containers politely, reports how they ended, and takes the pod out of the store. */
  async terminate(graceMs: number): Promise<void> {
    this.ending = true;
    await Promise.all(this.containers.map(container => container.stop(graceMs)));
    this.report();
    this.going.abort();
    const { namespace, name } = this.pod.metadata;
    if (this.context.store.get(namespace, name)?.pod.metadata.uid === this.uid)
      this.context.store.delete(namespace, name);
  }

  find(port: number): Target | undefined {
    for (const container of this.containers) {
      const ports = container.run?.ports;
      // A program that looks at itself in /proc sees ports of this machine.
      const local = ports?.get(port) ?? [...(ports?.values() ?? [])].find(one => one === port);
      if (local !== undefined) return { host: '127.0.0.1', port: local };
    }
    return undefined;
  }

  container(name: string): Container | undefined {
    return this.containers.find(container => container.template.name === name);
  }

  private report(): void {
    this.update(draft => {
      // Sorted by name, not in the order of the specification: so does the kubelet.
      const statuses = this.containers.map(container => container.status).sort((a, b) => (a.name < b.name ? -1 : 1));
      const { status, spec } = draft;
      status.phase = phaseOf(statuses, spec.restartPolicy, this.ending);
      status.conditions = conditionsOf(draft, statuses, status.phase);
      status['hostIP'] = HOST_IP;
      status['hostIPs'] = [{ ip: HOST_IP }];
      status.startTime = this.startTime;
      status.containerStatuses = statuses;
      if (status.phase === 'Pending') return;
      status.podIP = this.address;
      status['podIPs'] = [{ ip: this.address }];
    });
  }

  private update(change: (draft: Pod) => void): void {
    const { namespace, name } = this.pod.metadata;
    this.context.store.update(namespace, name, draft => {
      if (draft.metadata.uid === this.uid) change(draft);
    });
  }
}
