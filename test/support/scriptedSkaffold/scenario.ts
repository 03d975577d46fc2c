import { readFileSync } from 'node:fs';
import type { DebuggingContainerEvent } from '../../../src/proto/gen/v1.ts';

/** The variable that names the file with the scenario. */
export const SCENARIO = 'BREAKPOD_SCRIPTED_SKAFFOLD';

/** What a scripted Skaffold plays, as a file of JSON. */
export interface Scenario {
  /** What `skaffold version` prints, and what the first event says. */
  readonly version?: string;
  /** A file to which it appends what happens to it, `Happening`s as lines of JSON. */
  readonly record: string;
  /** By default one for each process. */
  readonly runId?: string;
  readonly artifacts?: readonly { readonly name: string; readonly context: string; readonly dockerfile?: string }[];
  /** Read anew when they are told, since a deploy decides about them. */
  readonly containers?: readonly Partial<DebuggingContainerEvent>[];
  /** A command that it runs when it deploys and when it cleans up, in its folder; its output becomes Skaffold's. */
  readonly onDeploy?: readonly string[];
  readonly onCleanUp?: readonly string[];
  /** More lines to print at the start. */
  readonly says?: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];
  /** How long a build takes, and a clean-up. */
  readonly buildMs?: number;
  readonly cleanUpMs?: number;
  readonly faults?: Faults;
}

/** What goes wrong. */
export interface Faults {
  /** The first start ends since its port is taken. */
  readonly busyPort?: boolean;
  /** As before v1.32: when the port is taken it takes the next free one, and warns. */
  readonly movesPort?: boolean;
  /** Waits so long before it listens. */
  readonly slowStartMs?: number;
  /** This artifact does not build; the process ends as Skaffold does, when it is the first iteration. */
  readonly failingBuild?: {
    readonly artifact: string;
    readonly message: string;
    readonly suggestions: readonly string[];
  };
  /** After it has deployed: panics, is killed, or neither answers nor hears signals any more. */
  readonly afterDeploy?: 'crash' | 'killed' | 'deadlock';
  readonly ignoresSigint?: boolean;
  readonly hasNoV2?: boolean;
  /** To every change of an auto trigger. */
  readonly alreadyExists?: boolean;
  /** It starts a process of its own, which may hear neither SIGINT nor SIGTERM. */
  readonly child?: 'polite' | 'stubborn';
}

/** What happened to it. */
export type Happening = Readonly<
  | { kind: 'start'; pid: number; args: readonly string[]; cwd: string; env: Readonly<Record<string, string>> }
  | { kind: 'listening'; port: number }
  | { kind: 'child'; pid: number }
  | { kind: 'signal'; name: string }
  | { kind: 'call'; name: string; request: unknown }
  | { kind: 'deployed'; iteration: number }
  | { kind: 'cleanedUp' }
>;

/** The scenario as it is now. */
export const readScenario = (): Scenario => JSON.parse(readFileSync(process.env[SCENARIO]!, 'utf8')) as Scenario;
