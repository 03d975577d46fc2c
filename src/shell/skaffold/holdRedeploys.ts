import type { SourceName, State } from '../../core/model.ts';
import { runOf } from '../../core/skaffold.ts';
import type { Store } from '../../core/store.ts';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import type { SkaffoldControl } from '../../skaffold/control.ts';
import { switchTriggers, type Trigger } from './triggers.ts';
import { rawText } from '../../core/errors.ts';

/** What holding needs from the rest. */
export interface HoldParts {
  readonly store: Pick<Store, 'state' | 'onDidChange' | 'apply'>;
  /** The setting, as it is now. */
  isWanted(): boolean;
}

/** How one run stands. */
interface Hold {
  /** Somebody is paused in one of its containers. */
  isWanted: boolean;
  isHeld: boolean;
  /** What was on before, while it is held. */
  wasOn: readonly Trigger[];
  /** One call after the other: what is wanted can change meanwhile. */
  isWorking: boolean;
}

/**
 * Keeps a Skaffold from replacing a container while somebody is paused in one of its containers: its automatic triggers are
 * off meanwhile, those that were on. What changed is built when the program goes on.
 */
export class HoldRedeploys implements Disposable {
  private readonly holds = new Map<SourceName, Hold>();
  private readonly own = new Disposables();
  private readonly parts: HoldParts;

  constructor(parts: HoldParts) {
    this.parts = parts;
    this.own.add(parts.store.onDidChange(state => this.follow(state)));
  }

  /** What is held is let go; the calls are still under way then. */
  dispose(): void {
    this.own.dispose();
    for (const [source, hold] of this.holds) this.become(source, hold, false);
  }

  private follow(state: State): void {
    const paused = this.parts.isWanted() ? pausedRuns(state) : new Set<SourceName>();
    for (const source of paused)
      if (!this.holds.has(source))
        this.holds.set(source, { isWanted: false, isHeld: false, wasOn: [], isWorking: false });
    for (const [source, hold] of this.holds) this.become(source, hold, paused.has(source));
  }

  private become(source: SourceName, hold: Hold, isWanted: boolean): void {
    hold.isWanted = isWanted;
    if (!hold.isWorking) void this.work(source, hold);
  }

  private async work(source: SourceName, hold: Hold): Promise<void> {
    hold.isWorking = true;
    while (hold.isWanted !== hold.isHeld) {
      if (hold.isHeld) await this.release(source, hold.wasOn);
      else hold.wasOn = await this.hold(source);
      hold.isHeld = !hold.isHeld;
    }
    hold.isWorking = false;
    if (!hold.isHeld) this.holds.delete(source);
  }

  private async hold(source: SourceName): Promise<readonly Trigger[]> {
    const control = await this.controlOf(source);
    if (!control) return [];
    try {
      const wasOn = await switchTriggers(control, false);
      if (wasOn.length > 0) this.say(source, 'info', 'Redeploys are held while a program is paused.');
      return wasOn;
    } catch (error) {
      this.say(source, 'warn', `Redeploys could not be held while a program is paused: ${rawText(error)}`);
      return [];
    }
  }

  private async release(source: SourceName, wasOn: readonly Trigger[]): Promise<void> {
    const control = await this.controlOf(source);
    if (!control || wasOn.length === 0) return; // without a control it is gone, with all that it held
    try {
      await switchTriggers(control, true, wasOn);
      this.say(source, 'info', 'Redeploys go on.');
    } catch (error) {
      this.say(source, 'warn', `Redeploys are still held, turn them on again by hand: ${rawText(error)}`);
    }
  }

  private async controlOf(source: SourceName): Promise<SkaffoldControl | undefined> {
    const run = this.parts.store.state.skaffold.get(source);
    if (!run?.about || run.ended) return undefined;
    const { controlOf } = await import('../../skaffold/later.ts');
    return controlOf(run.about.port);
  }

  private say(source: SourceName, level: 'info' | 'warn', text: string): void {
    this.parts.store.apply({ kind: 'notice', source, level, text });
  }
}

/** Runs of which a container is paused. */
function pausedRuns(state: State): Set<SourceName> {
  const sources = [...state.sessions.values()].map(({ paused, slot }) => {
    const container = paused ? state.entries.get(slot)?.container : undefined;
    return container && runOf(state, container);
  });
  return new Set(sources.filter(source => source !== undefined));
}
