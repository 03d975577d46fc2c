import { dirname } from 'node:path';
import type { Children } from '../core/owners.ts';
import type { FollowedRun, ProcessEnd, SkaffoldProcess } from '../core/runs.ts';
import { aborted } from '../lib/abortable.ts';
import { Disposables } from '../lib/disposable.ts';
import { detach, orAfter } from './detach.ts';
import { type Category, OutputLines, type Say } from './output.ts';
import type { LaunchOrder, SessionParts } from './parts.ts';
import { RunView, type View } from './runView.ts';
import { endText, seconds, stoppedBefore } from './words.ts';

/** How long a Skaffold may take that is told to terminate, and one that is killed, in milliseconds. */
const limitsMs = Object.freeze({ terminate: 5000, kill: 5000 });

/**
 * A Skaffold that was started here, from its preflight to its last words. However it ends, the same is done in the same
 * order: nothing more is attached, debuggers leave, Skaffold ends, and what it still says is read.
 */
export class OwnedRun {
  private readonly starting = new AbortController();
  private readonly stopping = new AbortController();
  private readonly killing = new AbortController();
  private readonly left = new AbortController();
  private readonly own = new Disposables();
  private readonly parts: SessionParts;
  private readonly order: LaunchOrder;
  private readonly say: Say;
  private readonly view: View;
  private process: SkaffoldProcess | undefined;
  private children: Children | undefined;

  constructor(parts: SessionParts, order: LaunchOrder, view: View) {
    this.parts = parts;
    this.order = order;
    this.view = view;
    this.say = view.say;
  }

  /**
   * Resolves when Skaffold runs, with a promise of its end: how the process ended, when all is said; `undefined` when it
   * goes on without us. Throws `UserError`.
   */
  async start({ attaches }: { attaches: boolean }): Promise<{ ended: Promise<ProcessEnd | 'left' | undefined> }> {
    const { launch, rules, drainTimeoutMs } = this.order;
    const { signal } = this.starting;
    for (const remark of await this.unlessStopped(this.parts.preflight(launch, signal))) this.say(remark);
    const starting = this.parts.start(launch, signal);
    // One that was started in spite of the stop is not left behind.
    starting.then(process => signal.aborted && process.kill()).catch(() => undefined);
    const process = await this.unlessStopped(starting);
    this.process = process;
    const { port, pid } = process;
    const about = { port, pid, origin: 'launched', name: launch.name, folder: dirname(launch.file) } as const;
    const run = this.parts.follow(about, drainTimeoutMs);
    this.own.add(new RunView(this.parts, run.source, this.view));
    this.readOutput(process);
    if (attaches) this.children = this.parts.openChildren(run.source, rules);
    return { ended: this.untilEnded(process, run).finally(() => this.own.dispose()) };
  }

  /** Ends it in good order; resolving is up to `ended`. Before it runs, `start` throws. */
  stop(): void {
    this.starting.abort(stoppedBefore());
    this.stopping.abort();
  }

  /** Ends it at once, with all that it has started. */
  kill(): void {
    this.stop();
    this.killing.abort();
    this.process?.kill();
  }

  /** It goes on without this session. */
  leave(): void {
    this.starting.abort(stoppedBefore());
    if (this.stopping.signal.aborted) return;
    this.process?.leave();
    this.left.abort();
  }

  /** The window goes: nothing is said or waited for any more; its guard sees to it that Skaffold ends. */
  abandon(): void {
    this.starting.abort(stoppedBefore());
    this.children?.close();
    if (!this.left.signal.aborted) this.process?.interrupt();
    this.left.abort();
    this.own.dispose();
  }

  private async unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.starting;
    const result = await Promise.race([work, aborted(signal).then(() => undefined)]);
    signal.throwIfAborted();
    return result as T;
  }

  private readOutput(process: SkaffoldProcess): void {
    const lines = (category: Category) => new OutputLines(line => this.say(line, category));
    const streams = { stdout: lines('stdout'), stderr: lines('stderr') };
    this.own.add(process.onOutput(({ stream, text }) => streams[stream].push(text)));
    void process.ended.then(() => Object.values(streams).forEach(stream => stream.end()));
  }

  private async untilEnded(process: SkaffoldProcess, run: FollowedRun): Promise<ProcessEnd | 'left' | undefined> {
    void process.ended.then(() => (this.process = undefined));
    await Promise.race([process.ended, aborted(this.stopping.signal), aborted(this.left.signal)]);
    await detach(this.children, this.parts.sleep, this.say, this.killing.signal);
    if (!this.left.signal.aborted) {
      run.ending();
      if (this.process) await this.endInOrder(process);
    }
    if (this.left.signal.aborted) {
      run.leave();
      return 'left';
    }
    const end = await orAfter(process.ended, limitsMs.kill, this.parts.sleep);
    run.stop(end?.code === 0);
    await run.drained;
    this.say(endText(end));
    return end;
  }

  /** Asks, then tells, then kills. */
  private async endInOrder(process: SkaffoldProcess): Promise<void> {
    const given = AbortSignal.any([this.killing.signal, this.left.signal]);
    const endsWithin = async (ms: number) =>
      (await orAfter(process.ended, ms, this.parts.sleep, given)) !== undefined || given.aborted;
    const { cleanUpTimeoutMs } = this.order;
    if (!given.aborted) {
      this.say('Stopping Skaffold…');
      process.interrupt();
    }
    if (!(await endsWithin(cleanUpTimeoutMs))) {
      this.say(`Skaffold has not ended within ${seconds(cleanUpTimeoutMs)}: it is told to terminate.`, 'stderr');
      process.terminate();
      if (!(await endsWithin(limitsMs.terminate)))
        this.say('Skaffold goes on: it is killed, and what it has deployed may be left behind.', 'stderr');
    }
    if (this.process && !this.left.signal.aborted) process.kill();
  }
}
