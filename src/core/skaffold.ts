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

/**
 * The end of listening to Skaffold: how many events came after the stop began, how long that took, and whether it was all
 * (`complete`), the time ran out (`timed-out`), or the connection broke without a word (`connection-lost`).
 */
export type Drain = Readonly<{ events: number; ms: number; outcome: 'complete' | 'timed-out' | 'connection-lost' }>;

/** What one event of Skaffold's means. */
export type SkaffoldFact = Readonly<
  /** `isNew`: nothing that was said before of containers, ports and tasks holds any more. */
  | { kind: 'run'; isNew?: true; id?: string; version?: string; artifacts?: readonly Artifact[] }
  | { kind: 'debugging'; status: 'Started' | 'Terminated'; reported: Reported }
  | { kind: 'port'; port: AnnouncedPort }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'termination'; problem?: Problem }
>;

/** What a running Skaffold has said so far. */
export type SkaffoldRun = Readonly<{
  /** Skaffold's own run id, which is also on all that it deploys (label `skaffold.dev/run-id`). */
  id?: string;
  version?: string;
  artifacts: readonly Artifact[];
  reported: ReadonlyMap<string, Reported>;
  /** By local port. */
  ports: ReadonlyMap<number, AnnouncedPort>;
  progress: ReadonlyMap<string, Progress>;
  /** It could not go on. */
  problem?: Problem;
}>;

const noRun: SkaffoldRun = { artifacts: [], reported: new Map(), ports: new Map(), progress: new Map() };

/** What Skaffold's debugging and port events have in common. A pod's name is all that they know of it. */
export const reportedKey = ({ namespace, pod, container }: Pick<Reported, 'namespace' | 'pod' | 'container'>): string =>
  JSON.stringify([namespace, pod, container]);

/** The run after one more fact. */
export function runAfter(before: SkaffoldRun = noRun, fact: SkaffoldFact): SkaffoldRun {
  switch (fact.kind) {
    case 'run': {
      const { kind: _kind, isNew, ...known } = fact;
      if (!isNew) return { ...before, ...known };
      const { problem: _problem, ...kept } = before;
      return { ...kept, ...known, reported: noRun.reported, ports: noRun.ports, progress: noRun.progress };
    }
    case 'debugging':
      return { ...before, reported: reportedAfter(before.reported, fact.status, fact.reported) };
    case 'port':
      return isKnown(before, fact.port)
        ? before
        : { ...before, ports: new Map(before.ports).set(fact.port.localPort, fact.port) };
    case 'progress': {
      const { task, subject } = fact.progress;
      return { ...before, progress: new Map(before.progress).set(JSON.stringify([task, subject]), fact.progress) };
    }
    case 'termination':
      return fact.problem ? { ...before, problem: fact.problem } : before;
    default:
      return fact satisfies never;
  }
}

/** Skaffold announces a forward again and again, with nothing new. */
const isKnown = ({ ports }: SkaffoldRun, port: AnnouncedPort): boolean =>
  JSON.stringify(ports.get(port.localPort)) === JSON.stringify(port);

function reportedAfter(
  before: ReadonlyMap<string, Reported>,
  status: 'Started' | 'Terminated',
  reported: Reported,
): ReadonlyMap<string, Reported> {
  const after = new Map(before);
  if (status === 'Started') after.set(reportedKey(reported), reported);
  else after.delete(reportedKey(reported));
  return after;
}

/** Which runs of Skaffold report a container. */
export const reportersOf = (
  runs: ReadonlyMap<string, SkaffoldRun>,
  at: Pick<Reported, 'namespace' | 'pod' | 'container'>,
): readonly string[] => [...runs].filter(([, { reported }]) => reported.has(reportedKey(at))).map(([source]) => source);
