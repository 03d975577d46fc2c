import type { EventLog } from '../core/eventLog.ts';
import type { AttachRules, Children } from '../core/owners.ts';
import type { FollowedRun, RunAbout, SkaffoldLaunch, SkaffoldProcess } from '../core/runs.ts';
import type { SourceName } from '../core/model.ts';
import type { Store } from '../core/store.ts';

/** A configuration with `"request": "launch"`, checked. */
export type LaunchOrder = Readonly<{
  launch: SkaffoldLaunch;
  rules: AttachRules;
  /** How long Skaffold may take to end by itself after a stop, in milliseconds. */
  cleanUpTimeoutMs: number;
  /** How long its last events are waited for when it has ended, in milliseconds. */
  drainTimeoutMs: number;
}>;

/** A configuration with `"request": "attach"`, checked: a running Skaffold, or without a port a cluster alone. */
export type JoinOrder = Readonly<{ name: string; port?: number; rules: AttachRules; drainTimeoutMs: number }>;

/** What a debug session of Breakpod's own type puts to work. */
export interface SessionParts {
  /** Throws `UserError` that names the field; `args` are what launch.json has, with all variables filled in. */
  launchOf(args: unknown): LaunchOrder;
  joinOf(args: unknown): JoinOrder;
  /** Whether all is there that Skaffold needs; resolves with remarks, each a line. Throws `UserError`. */
  preflight(launch: SkaffoldLaunch, signal: AbortSignal): Promise<readonly string[]>;
  /** Throws `UserError`; when `signal` aborts it leaves no process behind. */
  start(launch: SkaffoldLaunch, signal: AbortSignal): Promise<SkaffoldProcess>;
  /** Its events come into the store from now on. */
  follow(about: RunAbout, drainMs: number): FollowedRun;
  /** The debuggers of this session: auto-attach begins. */
  openChildren(source: SourceName | undefined, rules: AttachRules): Children;
  /** Read only. */
  readonly store: Pick<Store, 'state' | 'onDidChange'>;
  readonly log: Pick<EventLog, 'onDidAppend'>;
  /** Waits, or returns early (without an error) when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
