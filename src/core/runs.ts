import type { Event } from '../lib/emitter.ts';
import type { SourceName } from './model.ts';
import type { Drain } from './skaffold.ts';

export type { Origin, RunAbout } from './runAbout.ts';

/** Whether a container of a run is attached to without a click; `ifBreakpoints`: when breakpoints are set that may be meant for it. */
export const autoAttachRules = ['always', 'ask', 'ifBreakpoints', 'never'] as const;

export type AutoAttachRule = (typeof autoAttachRules)[number];

/** What launch.json says of one artifact: what is absent is as for all. */
export type ArtifactOverride = Readonly<{
  autoAttach?: AutoAttachRule;
  /** Fields that go before those which were found out: `localRoot`, `remoteRoot`, `sourceMaps`, … as its debugger names them. */
  configuration?: Readonly<Record<string, unknown>>;
}>;

/** A `skaffold debug` to start: launch.json with all that it leaves out filled in. Paths are absolute. */
export type SkaffoldLaunch = Readonly<{
  /** For people. */
  name: string;
  /** The root skaffold.yaml. Skaffold runs in its folder, since its relative paths go by that. */
  file: string;
  /** The binary: a path, or a name to find on PATH. */
  binary: string;
  modules: readonly string[];
  profiles: readonly string[];
  /** More arguments for `skaffold debug`, after all others. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  kubeconfig?: string;
  kubeContext?: string;
  namespace?: string;
  /** What Skaffold forwards itself (`user`, `services`, `pods`, `debug`, `off`); debug ports have forwards of our own. */
  portForward: readonly string[];
  /** Whether Skaffold deletes what it deployed when it is stopped. */
  cleanUp: boolean;
}>;

/** How a process ended. */
export type ProcessEnd = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

/** A `skaffold debug` that we have started, with all that it started: signals go to the whole group. */
export interface SkaffoldProcess {
  /** Of its gRPC service, on 127.0.0.1. */
  readonly port: number;
  readonly pid: number;
  /** What it prints, as it comes, with its ANSI codes. What came before the first listener is given to that. */
  readonly onOutput: Event<Readonly<{ stream: 'stdout' | 'stderr'; text: string }>>;
  /** Resolves when it has ended and its output has been read; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to end: it deletes what it deployed, if it was started so. */
  interrupt(): void;
  terminate(): void;
  kill(): void;
  /** It goes on without us; nothing ends it when the window goes. */
  leave(): void;
}

/** A running Skaffold whose events come into the store. */
export interface FollowedRun {
  readonly source: SourceName;
  /** Its end has been asked for: what comes from now on is counted as the drain. */
  ending(): void;
  /**
   * Its process has ended, or nobody wants more: reads on for the drain timeout at most. `hasEndedWell`: by itself and
   * without an error, so that streams which have ended were complete.
   */
  stop(hasEndedWell?: boolean): void;
  /** Nobody reads it any more, and it runs on. */
  leave(): void;
  /** What the log says of the end, when all that came is in the store; undefined when it was never reached. Never rejects. */
  readonly drained: Promise<Drain | undefined>;
}
