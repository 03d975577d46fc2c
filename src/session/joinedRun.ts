import type { Children } from '../core/owners.ts';
import type { FollowedRun } from '../core/runs.ts';
import { failureText, UserError } from '../core/errors.ts';
import { aborted } from '../lib/abortable.ts';
import { Disposables } from '../lib/disposable.ts';
import { detach } from './detach.ts';
import type { JoinOrder, SessionParts } from './parts.ts';
import { RunView, type View } from './runView.ts';
import { notJoined } from './words.ts';

/** A Skaffold that runs without us, or a cluster alone: this session has the debuggers of it, and shows what happens. */
export class JoinedRun {
  private readonly parts: SessionParts;
  private readonly order: JoinOrder;
  private readonly view: View;
  private readonly leaving = new AbortController();
  private readonly own = new Disposables();
  private children: Children | undefined;
  private run: FollowedRun | undefined;

  constructor(parts: SessionParts, order: JoinOrder, view: View) {
    this.parts = parts;
    this.order = order;
    this.view = view;
  }

  /** Resolves when Skaffold is read, with a promise of the end of all. Throws `UserError`. */
  async start({ attaches }: { attaches: boolean }): Promise<{ ended: Promise<void> }> {
    const { port, name, drainTimeoutMs } = this.order;
    this.run = port === undefined ? undefined : this.parts.follow({ port, origin: 'given', name }, drainTimeoutMs);
    this.own.add(new RunView(this.parts, this.run?.source, this.view));
    try {
      if (this.run && port !== undefined) await this.untilRead(this.run, port);
    } catch (error) {
      this.own.dispose();
      throw error;
    }
    if (attaches) this.open();
    return { ended: this.untilEnded().finally(() => this.own.dispose()) };
  }

  /** Detaches from all and attaches again, by the rules. */
  async restart(): Promise<void> {
    if (!this.children) return;
    await detach(this.children, this.parts.sleep, this.view.say, this.leaving.signal);
    if (!this.leaving.signal.aborted) this.open();
  }

  /** Leaves; what runs, runs on. */
  stop(): void {
    this.leaving.abort();
  }

  abandon(): void {
    this.children?.close();
    this.own.dispose();
    this.leaving.abort();
  }

  private open(): void {
    this.children = this.parts.openChildren(this.run?.source, this.order.rules);
  }

  private async untilRead(run: FollowedRun, port: number): Promise<void> {
    const { store } = this.parts;
    const told = Promise.withResolvers<void>();
    const look = () => {
      const state = store.state.sources.get(run.source);
      if (state?.kind === 'watching') told.resolve();
      if (state?.kind === 'stopped') told.reject(new UserError(state.failure.code, failureText(state.failure)));
    };
    const listening = store.onDidChange(look);
    look();
    const over = run.drained.then(() => Promise.reject(notJoined(port)));
    over.catch(() => undefined);
    const left = aborted(this.leaving.signal);
    await Promise.race([told.promise, over, left]).finally(() => listening.dispose());
  }

  private async untilEnded(): Promise<void> {
    const left = aborted(this.leaving.signal);
    await Promise.race(this.run ? [this.run.drained, left] : [left]);
    await detach(this.children, this.parts.sleep, this.view.say);
    if (!this.run) return;
    if (this.leaving.signal.aborted) {
      this.view.say(`Skaffold at port ${this.order.port} runs on.`);
      this.run.leave();
    }
  }
}
