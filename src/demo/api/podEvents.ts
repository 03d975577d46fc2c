import { randomBytes } from 'node:crypto';
import { Listed } from './listed.ts';
import { rfc3339, type Pod } from './objects.ts';

/** An Event (`v1`) of a kubelet about one container. */
export interface PodEvent {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly involvedObject: object;
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly source: object;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

/** What the kubelet tells of its pods; the same again is counted, as client-go's correlator does. */
export class PodEvents extends Listed<PodEvent> {
  private readonly known = new Map<string, string>();

  constructor() {
    super('Event', 'v1');
  }

  tell(
    { metadata }: Pod,
    container: string,
    { type, reason, message }: Pick<PodEvent, 'type' | 'reason' | 'message'>,
  ): void {
    const { name: pod, namespace, uid } = metadata;
    const key = JSON.stringify([uid, container, reason, message]);
    const name = this.known.get(key) ?? `${pod}.${randomBytes(8).toString('hex')}`;
    this.known.set(key, name);
    const before = this.get(namespace, name);
    const now = rfc3339();
    this.put({
      metadata: { name, namespace, uid: name },
      involvedObject: {
        kind: 'Pod',
        ...{ apiVersion: 'v1', namespace, name: pod, uid },
        fieldPath: `spec.containers{${container}}`,
      },
      ...{ type, reason, message },
      source: { component: 'kubelet', host: 'breakpod-demo' },
      firstTimestamp: before?.firstTimestamp ?? now,
      lastTimestamp: now,
      count: (before?.count ?? 0) + 1,
    });
  }
}
