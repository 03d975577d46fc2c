import { isDeepStrictEqual } from 'node:util';
import { rawText } from '../../core/errors.ts';
import type { SlotId } from '../../core/identity.ts';
import type { Container, DebugEvent, SourceName } from '../../core/model.ts';
import { Once } from '../../lib/once.ts';
import { oneLine } from '../../lib/plainText.ts';
import { type DecodeOptions, decodePod, isOver } from '../pods/decoder.ts';
import type { Pod, Remark } from '../pods/pod.ts';
import { podKey } from './prefilter.ts';

/** What `KnownPods` is made with. */
export interface KnownPodsOptions extends DecodeOptions {
  readonly source: SourceName;
  /** What is odd about a pod's set-up; each key is told once. */
  readonly remarks?: (pod: Pod) => readonly Remark[];
  /** What has been remarked on already, also in watches before. */
  readonly told?: Once;
}

interface Known {
  readonly uid: string;
  readonly containers: ReadonlyMap<SlotId, Container>;
}

/**
 * The debuggable containers that a watch has told of, and nothing of other pods. Turns reports of pods into what is
 * new; an unchanged container is silent. A container that has ended for good is not kept: its end is told, then that it
 * is gone; one that is met in that state is not told at all, so that completed Jobs do not fill the tree.
 */
export class KnownPods {
  private readonly pods = new Map<string, Known>();
  private readonly told: Once;
  private readonly options: KnownPodsOptions;

  constructor(options: KnownPodsOptions) {
    this.options = options;
    this.told = options.told ?? new Once();
  }

  has(key: string): boolean {
    return this.pods.has(key);
  }

  /** Everything that is known, in no particular order. */
  containers(): Container[] {
    return [...this.pods.values()].flatMap(pod => [...pod.containers.values()]);
  }

  /** A pod as it is now. Never throws: a pod that cannot be read is remarked on. */
  see(pod: Pod): DebugEvent[] {
    try {
      return [...this.remarks(this.options.remarks?.(pod) ?? []), ...this.compare(pod, decodePod(pod, this.options))];
    } catch (error) {
      const key = podKey(pod.metadata?.namespace, pod.metadata?.name);
      return [...this.remarks([{ key, text: `Pod ${key} cannot be read: ${rawText(error)}` }])];
    }
  }

  /** A pod as it was when it was deleted: a last look, then it is gone. Reports of an earlier pod of that name are late. */
  delete(pod: Pod): DebugEvent[] {
    const key = podKey(pod.metadata?.namespace, pod.metadata?.name);
    if (this.pods.get(key)?.uid !== (pod.metadata?.uid ?? '')) return [];
    return [...this.see(pod), ...this.forget(key)];
  }

  /** Takes away the pods that a complete list did not have. */
  keepOnly(listed: ReadonlySet<string>): DebugEvent[] {
    return [...this.pods.keys()].filter(key => !listed.has(key)).flatMap(key => this.forget(key));
  }

  private compare(pod: Pod, decoded: readonly Container[]): DebugEvent[] {
    const key = podKey(pod.metadata?.namespace, pod.metadata?.name);
    const uid = pod.metadata?.uid ?? '';
    const events = this.pods.get(key)?.uid === uid ? [] : this.forget(key);
    const before = this.pods.get(key)?.containers ?? new Map<SlotId, Container>();
    const kept = new Map<SlotId, Container>();
    for (const container of decoded) {
      const was = before.get(container.slot);
      const over = isOver(container, pod);
      if (!was && over) continue;
      if (!isDeepStrictEqual(was, container)) events.push({ kind: 'seen', source: this.options.source, container });
      if (!over) kept.set(container.slot, container);
    }
    for (const slot of before.keys()) if (!kept.has(slot)) events.push(this.gone(slot));
    if (kept.size > 0) this.pods.set(key, { uid, containers: kept });
    else this.pods.delete(key);
    return events;
  }

  private forget(key: string): DebugEvent[] {
    const known = this.pods.get(key);
    this.pods.delete(key);
    return [...(known?.containers.keys() ?? [])].map(slot => this.gone(slot));
  }

  private gone(slot: SlotId): DebugEvent {
    return { kind: 'gone', source: this.options.source, slot };
  }

  private *remarks(remarks: readonly Remark[]): Generator<DebugEvent> {
    for (const { key, text, level = 'warn' } of remarks)
      if (this.told.first(JSON.stringify([this.options.cluster, key])))
        yield { kind: 'notice', source: this.options.source, level, text: oneLine(text) };
  }
}
