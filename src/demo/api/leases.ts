import { randomUUID } from 'node:crypto';
import { Listed } from './listed.ts';
import type { Pod } from './objects.ts';

/** A Lease (`coordination.k8s.io/v1`). */
export interface Lease {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: Readonly<{
    holderIdentity: string;
    leaseDurationSeconds: number;
    acquireTime: string;
    renewTime: string;
    leaseTransitions: number;
  }>;
}

/** Which pod leads where, as the library of Kubernetes writes it (client-go `tools/leaderelection`). */
export class Leases extends Listed<Lease> {
  constructor() {
    super('Lease', 'coordination.k8s.io/v1');
  }

  /** A pod's program leads from now on. */
  acquire({ metadata: { namespace, name: pod } }: Pod, name: string): void {
    const before = this.get(namespace, name);
    const now = new Date().toISOString().replace('Z', '000Z');
    this.put({
      metadata: { name, namespace, uid: before?.metadata.uid ?? randomUUID() },
      spec: {
        holderIdentity: `${pod}_${randomUUID()}`,
        leaseDurationSeconds: 15,
        acquireTime: now,
        renewTime: now,
        leaseTransitions: before ? before.spec.leaseTransitions + 1 : 0,
      },
    });
  }
}
