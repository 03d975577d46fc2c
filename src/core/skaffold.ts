import type { RunAbout } from './runAbout.ts';

/** What Skaffold says of a container that it made debuggable. Pod and namespace are empty where it deploys to Docker. */
export type Reported = Readonly<{
  namespace: string;
  pod: string;
  container: string;
  artifact: string;
  runtime: string;
  workingDir: string;
  ports: Readonly<Record<string, number>>;
}>;

/** An artifact of skaffold.yaml. `context` is its folder: relative to the root skaffold.yaml, or absolute. */
export type Artifact = Readonly<{ name: string; builder: string; context: string }>;

/** A forward that Skaffold has announced; whether it works is another question. */
export type AnnouncedPort = Readonly<{
  localPort: number;
  remotePort: number;
  namespace: string;
  pod: string;
  container: string;
  resource: string;
  /** Names of the port and of the target, where they have one. */
  portName?: string;
  targetName?: string;
}>;

/** What went wrong in a task, with Skaffold's own advice. */
export type Problem = Readonly<{ code: string; message: string; suggestions: readonly string[] }>;

/** How far a task is, or a part of one: `subject` is an artifact, a resource, or empty for the whole task. */
export type Progress = Readonly<{
  task: string;
  subject: string;
  status: 'running' | 'succeeded' | 'failed' | 'canceled';
  problem?: Problem;
}>;

/** An event of Skaffold's own: `kind` and `body` as its API names them in JSON, `time` as it stamped it (RFC 3339). */
export type SkaffoldDraft = Readonly<{
  kind: string;
  level: 'info' | 'warn' | 'error';
  body: Readonly<Record<string, unknown>>;
  entry: string;
  time: string;
}>;

/** The key of `additional` in the metadata of its first event by which the event service of a Breakpod is known. */
export const relayMark = 'breakpod';

/**
 * The end of listening to Skaffold: how many events came after the stop began, how long that took, and whether it was all
 * (`complete`), the time ran out (`timed-out`), or the connection broke without a word (`connection-lost`).
 */
export type Drain = Readonly<{ events: number; ms: number; outcome: 'complete' | 'timed-out' | 'connection-lost' }>;

/** What one event of Skaffold's means, or what we know of it ourselves. */
export type SkaffoldFact = Readonly<
  /** What we know of it before and beside its own words. */
  | { kind: 'about'; about: RunAbout }
  /** `isNew`: nothing that was said before of containers, ports and tasks holds any more. `isRelay`: see `SkaffoldRun`. */
  | { kind: 'run'; isNew?: true; isRelay?: true; id?: string; version?: string; artifacts?: readonly Artifact[] }
  | { kind: 'debugging'; status: 'Started' | 'Terminated'; reported: Reported }
  | { kind: 'port'; port: AnnouncedPort }
  | { kind: 'progress'; progress: Progress }
  /** It has deployed this image without setting it up for debugging, and says why. */
  | { kind: 'not-configured'; image: string; reason: string }
  /** It has been asked to end, or says that it cleans up. */
  | { kind: 'ending' }
  | { kind: 'termination'; problem?: Problem }
>;

/** What a running Skaffold has said so far, and what we know of it. */
export type SkaffoldRun = Readonly<{
  about?: RunAbout;
  /** Skaffold's own run ids, which are also on all that it deploys (label `skaffold.dev/run-id`): a new one for each change of skaffold.yaml, the latest last. */
  ids: readonly string[];
  version?: string;
  artifacts: readonly Artifact[];
  reported: ReadonlyMap<string, Reported>;
  /** Keys of what it reported before the latest deploy: it misses the ends of containers while it deploys. */
  earlier: ReadonlySet<string>;
  /** By local port. */
  ports: ReadonlyMap<number, AnnouncedPort>;
  /** Of the present iteration, by task and subject. */
  progress: ReadonlyMap<string, Progress>;
  hasDeployed: boolean;
  /** It is no Skaffold, but the event service of a Breakpod: what it says, others have said. */
  isRelay?: true;
  /** Why images are not set up for debugging, by image. */
  notConfigured: ReadonlyMap<string, string>;
  /** It could not go on. */
  problem?: Problem;
  isEnding?: true;
  /** Nothing more comes. */
  ended?: Drain;
}>;

/** What Skaffold's debugging and port events have in common. A pod's name is all that they know of it. */
export const reportedKey = ({ namespace, pod, container }: Pick<Reported, 'namespace' | 'pod' | 'container'>): string =>
  JSON.stringify([namespace, pod, container]);

/** Which runs of Skaffold report a container. */
export const reportersOf = (
  runs: ReadonlyMap<string, SkaffoldRun>,
  at: Pick<Reported, 'namespace' | 'pod' | 'container'>,
): readonly string[] => [...runs].filter(([, { reported }]) => reported.has(reportedKey(at))).map(([source]) => source);

/** Where a container is, and the run id on its pod. */
type RunPlace = Pick<Reported, 'namespace' | 'pod' | 'container'> & Readonly<{ runId?: string }>;

/** The run that a container belongs to: by the label of its pod, also while Skaffold is silent about it, else by Skaffold's word. */
export function runOf(
  { skaffold }: Readonly<{ skaffold: ReadonlyMap<string, SkaffoldRun> }>,
  container: RunPlace,
): string | undefined {
  const { runId } = container;
  if (runId !== undefined) for (const [source, { ids }] of skaffold) if (ids.includes(runId)) return source;
  return reportersOf(skaffold, container)[0];
}

/** The run that a container belongs to, with all that it has said. */
export function runWith(
  state: Readonly<{ skaffold: ReadonlyMap<string, SkaffoldRun> }>,
  container: RunPlace,
): SkaffoldRun | undefined {
  return state.skaffold.get(runOf(state, container) ?? '');
}
