import type { DebugEvent, SourceName } from '../../core/model.ts';
import type { BackoffLimits } from '../../lib/backoff.ts';
import type { Once } from '../../lib/once.ts';
import type { KubeApi } from '../access.ts';
import type { Detect, Pod, Remark } from '../pods/pod.ts';

/** What a source watches: one namespace or all of them, all pods or those with some labels. */
export interface PodScope {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/** Limits of a watch. */
export interface WatchLimits {
  /** Longest silence of a watch before its connection is replaced; the API server sends a bookmark about once a minute. */
  readonly idleMs: number;
  /** Longest wait for an answer, and longest silence inside a list. */
  readonly answerMs: number;
  readonly backoff: BackoffLimits;
  readonly pageSize: number;
  /** Shortest and longest life that is asked for; random in between, so that many watches do not end together. */
  readonly lifeSeconds: readonly [number, number];
}

export const watchLimits: WatchLimits = {
  idleMs: 90_000,
  answerMs: 15_000,
  backoff: { firstMs: 500, mostMs: 30_000 },
  pageSize: 500,
  lifeSeconds: [240, 360],
};

/** What is known of a server for good; shared by the sources of one server. */
export interface ServerMemory {
  /** It does not list by watching. */
  refusesStreaming: boolean;
}

/** What every source of one cluster needs. */
export interface WatchOptions {
  readonly api: KubeApi;
  readonly detect: Detect;
  /** Words of pods that `detect` lists, beside those that Breakpod's own rules need (`triggers`). */
  readonly words?: readonly string[];
  /** What is odd about a pod's set-up; each key is told once. */
  readonly remarks?: (pod: Pod) => readonly Remark[];
  /** Which remarks have been told; given, so that looking again repeats none. */
  readonly told?: Once;
  readonly memory?: ServerMemory;
  readonly limits?: Partial<WatchLimits>;
}

/** What one source needs. */
export interface PodSourceOptions extends WatchOptions {
  readonly scope: PodScope;
  readonly source: SourceName;
}

/** Tells of the debuggable containers of a scope until the signal aborts; nothing is delivered after that. */
export type PodSource = (signal: AbortSignal) => AsyncIterable<DebugEvent>;
