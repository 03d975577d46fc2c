import { Emitter } from '../../lib/emitter.ts';
import { forgetOldest } from '../../lib/forgetOldest.ts';
import { podKey, type Pod } from './objects.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A pod as it was at one version. Never changed. */
export interface StoredPod {
  readonly pod: Pod;
  readonly version: number;
  /** The pod as JSON, without `kind` and `apiVersion`, as items of a list are. */
  readonly json: string;
}

export interface Change {
  readonly type: ChangeType;
  readonly now: StoredPod;
  /** What was there before a change or a deletion: a selector may have matched that and not this. */
  readonly before?: StoredPod;
}

/** What etcd is to a cluster: pods, a version that counts every write, and the changes since the last compaction. */
export class PodStore {
  private readonly pods = new Map<string, StoredPod>();
  private changes: Change[] = [];
  private snapshots = new Map<number, readonly StoredPod[]>();
  private readonly changed = new Emitter<Change>();
  readonly onDidChange = this.changed.event;
  /** The version of the last write. */
  version: number;
  /** Changes up to this version are forgotten. */
  compacted: number;

  constructor(version = 1000) {
    this.version = version;
    this.compacted = version;
  }

  get(namespace: string, name: string): StoredPod | undefined {
    return this.pods.get(podKey(namespace, name));
  }

  /** All pods, in the order of their keys, as etcd has them. Kept for later pages until the next compaction. */
  snapshot(): readonly StoredPod[] {
    let all = this.snapshots.get(this.version);
    if (!all) {
      all = [...this.pods.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, stored]) => stored);
      this.snapshots.set(this.version, all);
      forgetOldest(this.snapshots, 50);
    }
    return all;
  }

  /** What `snapshot` gave at that version; `undefined` when it is forgotten. */
  snapshotAt(version: number): readonly StoredPod[] | undefined {
    return version === this.version ? this.snapshot() : this.snapshots.get(version);
  }

  /** Changes after a version; `undefined` when some of them are forgotten. */
  since(version: number): readonly Change[] | undefined {
    if (version < this.compacted) return undefined;
    const first = this.changes.findIndex(change => change.now.version > version);
    return first < 0 ? [] : this.changes.slice(first);
  }

  /** Forgets all changes and pages, as a compaction of etcd with a restart of the API server does. */
  compact(): void {
    this.compacted = this.version;
    this.changes = [];
    this.snapshots = new Map();
  }

  /** Throws when the name is taken. */
  create(pod: Pod): StoredPod {
    const key = podKey(pod.metadata.namespace, pod.metadata.name);
    if (this.pods.has(key)) throw new Error(`pods "${pod.metadata.name}" already exists`);
    return this.write('ADDED', key, pod, undefined);
  }

  /** Changes a copy of the pod; without effect when the pod is gone or nothing has changed. */
  update(namespace: string, name: string, change: (draft: Pod) => void): StoredPod | undefined {
    const key = podKey(namespace, name);
    const before = this.pods.get(key);
    if (!before) return undefined;
    const draft = structuredClone(before.pod);
    change(draft);
    return JSON.stringify(draft) === before.json ? before : this.write('MODIFIED', key, draft, before);
  }

  delete(namespace: string, name: string): StoredPod | undefined {
    const key = podKey(namespace, name);
    const before = this.pods.get(key);
    return before && this.write('DELETED', key, structuredClone(before.pod), before);
  }

  private write(type: ChangeType, key: string, pod: Pod, before: StoredPod | undefined): StoredPod {
    this.version += 1;
    pod.metadata.resourceVersion = String(this.version);
    const now: StoredPod = { pod, version: this.version, json: JSON.stringify(pod) };
    if (type === 'DELETED') this.pods.delete(key);
    else this.pods.set(key, now);
    const change: Change = before ? { type, now, before } : { type, now };
    this.changes.push(change);
    if (this.changes.length > 20_000) this.forgetOldest(5_000);
    this.changed.fire(change);
    return now;
  }

  private forgetOldest(count: number): void {
    this.compacted = this.changes[count - 1]!.now.version;
    this.changes = this.changes.slice(count);
  }
}
