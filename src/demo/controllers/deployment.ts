import type { Disposable } from '../../lib/disposable.ts';
import type { Pod } from '../api/objects.ts';
import type { PodStore } from '../api/podStore.ts';
import type { Kubelet } from '../kubelet/kubelet.ts';
import type { PodTemplate } from '../kubelet/template.ts';
import { newOwner, podOf, randomLetters, type PodOwner } from './podObject.ts';
import { waitFor } from './waitFor.ts';

export interface ControllerContext {
  readonly store: PodStore;
  readonly kubelet: Kubelet;
}

/** A Deployment of one replica with its ReplicaSets: keeps a pod there, and replaces it version by version. */
export class Deployment implements Disposable {
  readonly namespace: string;
  readonly name: string;
  private readonly context: ControllerContext;
  private readonly subscription: Disposable;
  private template: PodTemplate;
  private disposed = false;
  private replicaSet: { owner: PodOwner; hash: string };

  constructor(namespace: string, name: string, template: PodTemplate, context: ControllerContext) {
    this.namespace = namespace;
    this.name = name;
    this.template = template;
    this.context = context;
    this.replicaSet = this.newReplicaSet();
    // Not inside the store's own turn: watchers would see the successor before the change that called for it.
    this.subscription = context.store.onDidChange(({ now, type }) => {
      const isLeaving = type === 'DELETED' || now.pod.metadata.deletionTimestamp !== undefined;
      if (isLeaving && this.owns(now.pod)) queueMicrotask(() => this.ensure());
    });
    this.ensure();
  }

  /** A new ReplicaSet: its pod first, and the pods of the one before go when that is ready. */
  async rollout(template: PodTemplate): Promise<void> {
    const old = this.replicaSet.owner.uid;
    this.template = template;
    this.replicaSet = this.newReplicaSet();
    this.ensure();
    await waitFor(this.context.store, () => this.pods().some(isReady));
    await this.endPodsOf(old);
  }

  /** Deletes its pods; after `dispose`, which ends the making of successors. */
  end(): Promise<void> {
    return this.endPodsOf(this.replicaSet.owner.uid);
  }

  /** The pod that stands for the workload now, also while it starts. */
  get pod(): Pod | undefined {
    return this.pods()[0];
  }

  /** Makes no more successors; pods stay. */
  dispose(): void {
    this.disposed = true;
    this.subscription.dispose();
  }

  private ensure(): void {
    if (this.disposed || this.pods().length > 0) return;
    const { owner, hash } = this.replicaSet;
    this.context.kubelet.run(podOf(this.template, this.namespace, owner, { 'pod-template-hash': hash }), this.template);
  }

  private pods(): Pod[] {
    return this.context.store
      .snapshot()
      .map(({ pod }) => pod)
      .filter(pod => this.owns(pod) && pod.metadata.deletionTimestamp === undefined);
  }

  private async endPodsOf(owner: string): Promise<void> {
    const { store, kubelet } = this.context;
    const left = () => store.snapshot().filter(({ pod }) => pod.metadata.ownerReferences?.[0]?.uid === owner);
    for (const { pod } of left())
      kubelet.delete(pod.metadata.namespace, pod.metadata.name, pod.spec.terminationGracePeriodSeconds * 1000);
    await waitFor(store, () => left().length === 0);
  }

  private owns(pod: Pod): boolean {
    return pod.metadata.ownerReferences?.[0]?.uid === this.replicaSet.owner.uid;
  }

  private newReplicaSet() {
    const hash = randomLetters(10);
    return { hash, owner: newOwner('apps/v1', 'ReplicaSet', `${this.name}-${hash}`) };
  }
}

export const isReady = (pod: Pod): boolean =>
  pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
