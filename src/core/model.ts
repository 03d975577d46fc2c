import type { Breakpoints } from './breakpoints.ts';
import type { Failure, Step } from './errors.ts';
import type { FollowId, InstanceId, SlotId } from './identity.ts';
import type { Drain, SkaffoldDraft, SkaffoldFact, SkaffoldRun } from './skaffold.ts';

/** Runtimes that Breakpod knows; annotations and users may name others. */
export type KnownRuntime = 'jvm' | 'nodejs' | 'deno' | 'bun' | 'python' | 'go' | 'netcore' | 'ruby' | 'native';

/**
 * What a container's set-up says about debugging it. `live`: a debugger can be attached; `suspended`: the same, and
 * the program waits for it; `crash`: the process refuses to start; `port-unknown`: live, but no port can be read.
 */
export type Verdict = 'live' | 'suspended' | 'crash' | 'not-debuggable' | 'port-unknown';

/**
 * Where the knowledge comes from, best first: `annotation` is `debug.cloud.google.com/config`, `skaffold` an event of a
 * running Skaffold, `on-demand` an inspector that Breakpod has opened.
 */
export type Evidence =
  'annotation' | 'skaffold' | 'flags' | 'port-name' | 'image-variables' | 'runtime-hint' | 'on-demand' | 'none';

/** The result of looking at one container of a pod specification. */
export type Detection = Readonly<{
  verdict: Verdict;
  runtime?: string;
  /** The port a debugger connects to. */
  port?: number;
  /** Its debug server is known to take one client after the other (dlv with `--accept-multiclient`). */
  takesMany?: boolean;
  /** Path of the address that a debugger opens, where it is not found by asking (Bun). */
  path?: string;
  /** All debug ports by protocol name (`jdwp`, `devtools`, `dlv`, `dap`, `pydevd`). */
  ports: Readonly<Record<string, number>>;
  evidence: Evidence;
  /** What was found and where, for people: `JAVA_TOOL_OPTIONS has -agentlib:jdwp=…`. */
  found: string;
  /** Why it is not plainly debuggable, or what is wrong with the set-up, for people. */
  reason?: string;
  /** `image:` of the artifact in skaffold.yaml. */
  artifact?: string;
  /** Directory of the program inside the container: annotation, else the container's `workingDir`. */
  workingDir?: string;
  /** Whether it belongs in the tree: debuggable, or meant to be and broken. */
  listed: boolean;
}>;

export type ContainerKind = 'regular' | 'sidecar' | 'ephemeral';

/**
 * Life of a container as the kubelet reports it; `terminating` runs in a pod that is being deleted, `willRestart` waits
 * to be started again (a crash loop shows `terminated` for nearly all of its pauses).
 */
export type Phase = Readonly<
  | { kind: 'waiting'; reason: string; message?: string }
  | { kind: 'running' }
  | { kind: 'terminating' }
  | {
      kind: 'terminated';
      exitCode: number;
      reason: string;
      message?: string;
      finishedAt?: string;
      willRestart?: boolean;
    }
>;

/**
 * A probe by which the kubelet looks at a container, from the pod's specification. `port` is a name or a number; `http`
 * covers HTTPS.
 */
export type Probe = Readonly<{
  kind: 'liveness' | 'readiness' | 'startup';
  handler: 'exec' | 'tcp' | 'grpc' | 'http';
  port?: number | string;
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}>;

/** A run that is over, from `lastState.terminated`. Times are RFC 3339. */
export type EndedRun = Readonly<{
  containerId?: string;
  exitCode: number;
  reason: string;
  message?: string;
  startedAt?: string;
  finishedAt?: string;
}>;

export type Workload = Readonly<{ kind: string; name: string }>;

/** One container of one pod, as a source reported it last. */
export type Container = Readonly<{
  slot: SlotId;
  id: InstanceId;
  follow: FollowId;
  cluster: string;
  namespace: string;
  /** For people, never a key. */
  pod: string;
  podUid: string;
  container: string;
  kind: ContainerKind;
  workload: Workload;
  image: string;
  phase: Phase;
  ready: boolean;
  restarts: number;
  containerId?: string;
  /** RFC 3339. */
  startedAt?: string;
  last?: EndedRun;
  /** A startup probe is among them until it has succeeded. */
  probes?: readonly Probe[];
  /** Of the Skaffold that deployed it: the pod's label `skaffold.dev/run-id`. */
  runId?: string;
  /** It is no container of a cluster: its debug port is published here, on this machine. */
  direct?: DirectPort;
  detection: Detection;
}>;

/** A port that is reached without a forward. */
export type DirectPort = Readonly<{ host: string; port: number }>;

/** A source's name: `pods` and the scope that it watches, `skaffold` and its port, so that two scopes do not take back each other's word. */
export type SourceName = string;

/** How a source is doing. `retryMs` is the wait before the next try. */
export type SourceState = Readonly<
  | { kind: 'connecting' }
  | { kind: 'watching' }
  | { kind: 'retrying'; failure: Failure; retryMs: number }
  | { kind: 'stopped'; failure: Failure }
>;

/** What a container printed last before it crashed, or why that cannot be read. `run` is the container ID. */
export type LastWords = Readonly<{ run: string } & ({ line: string } | { failure: Failure })>;

/** A run whose program is paused in a debugger, or was when the debugger was lost. `run` is the container ID, `name` the session's. */
export type PausedRun = Readonly<{ run: string; name: string }>;

/**
 * A run that was killed while its program was paused, and the probe that did it. `proof`: the events of the pod are
 * `asked`, say so in the kubelet's `words` (`found`), or cannot be read (`missing`). `since` is the run's start, RFC 3339.
 */
export type ProbeKill = PausedRun &
  Readonly<{ probe: Probe; proof: 'asked' | 'found' | 'missing'; words?: string; since?: string }>;

/** What the events of a pod say about a kill; `other` if no probe did it. */
export type KillVerdict = Readonly<
  { kind: 'said'; probe: Probe['kind']; words: string } | { kind: 'unread' } | { kind: 'other' }
>;

/** A lease of a leader election that a pod holds, and how long it lives without being renewed. */
export type HeldLease = Readonly<{ name: string; seconds: number }>;

/** What VS Code (or another front end) has open on a container. */
export type Session = Readonly<{
  id: string;
  slot: SlotId;
  instance: InstanceId;
  follow: FollowId;
  namespace: string;
  pod: string;
  container: string;
  name: string;
  localPort: number;
  paused: boolean;
  /** Where its sources were found, for people. */
  sources?: readonly string[];
  /** Once the program runs with the debugger. */
  breakpoints?: Breakpoints;
  /** The debug session that it belongs to, which started it or would have. */
  owner?: string;
  /** It was attached again before the watch could tell whether the same run goes on or the next one has begun. */
  isRunUnsure?: boolean;
}>;

/** A lost session: its debugger is attached again to its container's next run, or to the container that takes its place. */
export type Following = Omit<Session, 'paused' | 'sources' | 'breakpoints' | 'isRunUnsure'> &
  Readonly<{
    /** Other containers of the workload that were there when the session began. */
    siblings: ReadonlySet<SlotId>;
  }>;

/** A forward of ours that is open, to a port of one container. */
export type Forwarded = Readonly<{
  /** On 127.0.0.1. */
  localPort: number;
  remotePort: number;
  namespace: string;
  pod: string;
  container: string;
}>;

/** An attach under way, and why its step takes so long; or how the last one failed. */
export type Attach = Readonly<
  { kind: 'running'; step: Step; waitsFor?: string } | { kind: 'failed'; failure: Failure }
>;

/** One thing that happened. Sources, the attach coordinator and debug sessions write these; only the reducer reads them. */
export type DebugEvent = Readonly<
  | { kind: 'snapshot'; source: SourceName; containers: readonly Container[] }
  | { kind: 'seen'; source: SourceName; container: Container }
  | { kind: 'gone'; source: SourceName; slot: SlotId }
  | { kind: 'source'; source: SourceName; state: SourceState }
  | { kind: 'source-removed'; source: SourceName }
  | { kind: 'skaffold'; source: SourceName; said?: SkaffoldDraft; facts: readonly SkaffoldFact[] }
  | { kind: 'drained'; source: SourceName; drain: Drain }
  /** The user has seen how a run ended. */
  | { kind: 'dismissed'; source: SourceName }
  | { kind: 'notice'; source: SourceName; level: 'info' | 'warn'; text: string }
  | { kind: 'forwarded'; forwarded: Forwarded }
  | { kind: 'unforwarded'; localPort: number }
  | { kind: 'last-words'; slot: SlotId; words: LastWords }
  | { kind: 'attaching'; slot: SlotId; step: Step; waitsFor?: string }
  | { kind: 'attach-failed'; slot: SlotId; failure: Failure }
  | { kind: 'attach-cancelled'; slot: SlotId }
  /** `follows` is the lost session in whose place it comes. */
  | { kind: 'attached'; session: Session; sources: readonly string[]; follows?: string }
  /** `isGone`: it does not go on, its debugger has lost sight of it. */
  | { kind: 'paused'; sessionId: string; paused: boolean; isGone?: boolean }
  | { kind: 'breakpoints'; sessionId: string; breakpoints: Breakpoints }
  /** `isLost`: nobody wanted it. */
  | { kind: 'detached'; sessionId: string; isLost?: boolean }
  | { kind: 'leases'; slot: SlotId; instance: InstanceId; leases: readonly HeldLease[] }
  | { kind: 'kill-explained'; slot: SlotId; run: string; verdict: KillVerdict }
  | { kind: 'following'; following: Following }
  /** `why` is for people; absent when the user has said so. */
  | { kind: 'unfollowed'; id: string; why?: string }
>;

/** What is known of one container, and by which source. */
export type Entry = Readonly<{ container: Container; source: SourceName }>;

/** What the log has said of one container. It outlives the watch, so that looking again repeats nothing. */
export type Life = Readonly<{
  source: SourceName;
  /** The run that the log has as started and not yet as terminated. */
  started?: Container;
  /** Container IDs of the last runs that are over and need no more telling: as many as one report can name. */
  ended: readonly string[];
}>;

export type State = Readonly<{
  entries: ReadonlyMap<SlotId, Entry>;
  lives: ReadonlyMap<SlotId, Life>;
  sources: ReadonlyMap<SourceName, SourceState>;
  /** Of containers that have crashed. */
  lastWords: ReadonlyMap<SlotId, LastWords>;
  /** Of programs that are paused, or were when their debugger was lost. */
  pausedRuns: ReadonlyMap<SlotId, PausedRun>;
  /** Of containers that were killed meanwhile. */
  probeKills: ReadonlyMap<SlotId, ProbeKill>;
  /** Of containers that have or had a debugger. */
  leases: ReadonlyMap<SlotId, Readonly<{ instance: InstanceId; leases: readonly HeldLease[] }>>;
  attaches: ReadonlyMap<SlotId, Attach>;
  sessions: ReadonlyMap<string, Session>;
  /** Debuggers that were lost and come back, by the lost session's id. */
  following: ReadonlyMap<string, Following>;
  /** Runs of programs that waited for a debugger and have had one. */
  woken: ReadonlySet<InstanceId>;
  /** Forwards of ours that are open, by local port. */
  forwards: ReadonlyMap<number, Forwarded>;
  /** What each running Skaffold says, beside what the watch sees. */
  skaffold: ReadonlyMap<SourceName, SkaffoldRun>;
}>;
