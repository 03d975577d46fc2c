import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { rawText } from '../../core/errors.ts';
import { sleep } from '../../lib/backoff.ts';
import {
  rfc3339,
  type ContainerState,
  type ContainerStatus,
  type RestartPolicy,
  type Terminated,
} from '../api/objects.ts';
import type { PodEvent } from '../api/podEvents.ts';
import { ContainerRun } from './containerRun.ts';
import { failsLiveness } from './liveness.ts';
import type { ContainerLog } from './log.ts';
import type { Exit, Processes } from './processes.ts';
import type { ContainerTemplate } from './template.ts';

/** How long a kubelet waits before it starts a failing container again; the first time at once. */
export interface RestartBackoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

export interface ContainerOptions {
  readonly template: ContainerTemplate;
  readonly podName: string;
  /** As in the kubelet's messages: `name_namespace(uid)`. */
  readonly podText: string;
  readonly restartPolicy: RestartPolicy;
  readonly graceMs: number;
  readonly backoff: RestartBackoff;
  readonly processes: Processes;
  readonly onDidChange: () => void;
  /** Something that a kubelet tells as an event of the pod. */
  readonly onEvent: (event: Pick<PodEvent, 'type' | 'reason' | 'message'>) => void;
}

/** A run at least this long makes the next failure count as the first. */
const HEALTHY_MS = 60_000;
/** A kubelet shows `terminated` for the whole pause, and CrashLoopBackOff only just before the next start. */
const CRASH_LOOP_MS = 200;

/** One container of one pod through all its restarts, with the status that a kubelet reports. */
export class Container {
  readonly template: ContainerTemplate;
  private readonly options: ContainerOptions;
  private readonly imageID: string;
  private state: ContainerState = { waiting: { reason: 'ContainerCreating' } };
  private lastState: ContainerState = {};
  private restarts = 0;
  private failures = 0;
  private current: ContainerRun | undefined;
  private containerID: string | undefined;
  private readonly stopping = new AbortController();
  private pause = new AbortController();
  private living: Promise<void> | undefined;
  log: ContainerLog | undefined;
  previousLog: ContainerLog | undefined;

  constructor(options: ContainerOptions) {
    this.options = options;
    this.template = options.template;
    this.imageID = `${options.template.image.split(':')[0]}@sha256:${randomBytes(32).toString('hex')}`;
  }

  /** The run that is under way. */
  get run(): ContainerRun | undefined {
    return this.current;
  }

  get status(): ContainerStatus {
    const ready = this.current?.ready ?? false;
    return {
      name: this.template.name,
      state: this.state,
      lastState: this.lastState,
      ready,
      restartCount: this.restarts,
      image: this.template.image,
      imageID: this.imageID,
      ...(this.containerID === undefined ? {} : { containerID: this.containerID }),
      started: ready,
    };
  }

  start(): void {
    this.living ??= this.live().catch((error: unknown) => this.giveUp(error));
  }

  /** Ends the run that is under way, or the pause before the next one; what follows is up to the restart policy. */
  async end(): Promise<void> {
    this.failures = 0;
    this.pause.abort();
    await this.current?.process.stop(this.options.graceMs);
  }

  /** Ends it for good. */
  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    this.pause.abort();
    await this.current?.process.stop(graceMs);
    await this.living;
  }

  private async live(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const ended = await this.runOnce();
      if (this.stopping.signal.aborted || !isRestarted(this.options.restartPolicy, ended.exitCode)) return;
      await this.waitForRestart(ended);
      this.restarts += 1;
    }
  }

  /** No port was free, or the machine starts no more processes: shown as a kubelet shows it. */
  private giveUp(error: unknown): void {
    this.state = { waiting: { reason: 'CreateContainerError', message: rawText(error) } };
    this.options.onDidChange();
  }

  private async runOnce(): Promise<Terminated> {
    const run = await ContainerRun.start(this.template, this.options);
    if (this.stopping.signal.aborted) run.process.kill('SIGKILL'); // stopped while it was looking for ports
    if (this.state.terminated) this.lastState = this.state;
    this.current = run;
    this.containerID = run.id;
    this.previousLog = this.log;
    this.log = run.log;
    this.state = { running: { startedAt: run.startedAt } };
    this.options.onDidChange();
    run.onReady = this.options.onDidChange;
    void this.watchOver(run);
    const exit = await run.ended;
    this.current = undefined;
    const terminated = terminatedState(run, exit);
    this.state = { terminated };
    this.options.onDidChange();
    return terminated;
  }

  /** Ends a run that does not answer its liveness probe. */
  private async watchOver(run: ContainerRun): Promise<void> {
    const { liveness, name } = this.template;
    const { onEvent, graceMs } = this.options;
    const failed = (message: string) => onEvent({ type: 'Warning', reason: 'Unhealthy', message });
    if (!liveness || !(await failsLiveness(run, liveness, failed))) return;
    const message = `Container ${name} failed liveness probe, will be restarted`;
    onEvent({ type: 'Normal', reason: 'Killing', message });
    await run.process.stop(graceMs);
  }

  private async waitForRestart(ended: Terminated): Promise<void> {
    const lived = Date.parse(ended.finishedAt) - Date.parse(ended.startedAt);
    if (lived > HEALTHY_MS) this.failures = 0;
    const { firstMs, mostMs } = this.options.backoff;
    const waitMs = this.failures === 0 ? 0 : Math.min(mostMs, firstMs * 2 ** (this.failures - 1));
    this.failures += 1;
    if (waitMs === 0) return;
    this.pause = new AbortController();
    await sleep(Math.max(0, waitMs - CRASH_LOOP_MS), this.pause.signal);
    if (this.pause.signal.aborted) return;
    const message = `back-off ${waitMs / 1000}s restarting failed container=${this.template.name} pod=${this.options.podText}`;
    this.lastState = { terminated: ended };
    this.state = { waiting: { reason: 'CrashLoopBackOff', message } };
    this.options.onDidChange();
    await sleep(Math.min(CRASH_LOOP_MS, waitMs), this.pause.signal);
  }
}

const isRestarted = (policy: RestartPolicy, exitCode: number): boolean =>
  policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);

/** A signal shows as 128 and its number, as container runtimes report it. */
function terminatedState(run: ContainerRun, { code, signal, failure }: Exit): Terminated {
  const exitCode = failure === undefined ? (code ?? 128 + (signal ? constants.signals[signal] : 0)) : 127;
  return {
    exitCode,
    reason: failure === undefined ? (exitCode === 0 ? 'Completed' : 'Error') : 'ContainerCannotRun',
    ...(failure === undefined ? {} : { message: failure }),
    startedAt: run.startedAt,
    finishedAt: rfc3339(),
    containerID: run.id,
  };
}
