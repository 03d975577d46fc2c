import type { SourceName, State } from '../../core/model.ts';
import { runOf } from '../../core/skaffold.ts';
import type { Store } from '../../core/store.ts';
import { disposable, type Disposable, Disposables } from '../../lib/disposable.ts';
import type { SkaffoldControl } from '../../skaffold/control.ts';
import { switchTriggers, type Trigger } from './triggers.ts';
import { rawText } from '../../core/errors.ts';

/** What holding needs from the rest. */
export interface HoldParts {
  readonly store: Pick<Store, 'state' | 'onDidChange' | 'apply'>;
  /** The setting, as it is now. */
  isWanted(): boolean;
  controlOf(port: number): SkaffoldControl;
}

/**
 * Keeps a Skaffold from replacing a container while somebody is paused in one of its containers: its automatic triggers are
 * off meanwhile, those that were on. What changed is built when the program goes on.
 */
export class HoldRedeploys implements Disposable {
  /** Runs that are held, with what was on before. */
  private readonly held = new Map<SourceName, Promise<readonly Trigger[]>>();
  private readonly own = new Disposables();
  private readonly parts: HoldParts;

  constructor(parts: HoldParts) {
    this.parts = parts;
    this.own.add(parts.store.onDidChange(state => this.follow(state)));
    this.own.add(disposable(() => [...this.held.keys()].forEach(source => void this.release(source))));
  }

  dispose(): void {
    this.own.dispose();
  }

  private follow(state: State): void {
    const paused = this.parts.isWanted() ? pausedRuns(state) : new Set<SourceName>();
    for (const source of paused) if (!this.held.has(source)) this.held.set(source, this.hold(source));
    for (const source of this.held.keys()) if (!paused.has(source)) void this.release(source);
  }

  private async hold(source: SourceName): Promise<readonly Trigger[]> {
    const control = this.controlOf(source);
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

  private async release(source: SourceName): Promise<void> {
    const wasOn = await this.held.get(source);
    this.held.delete(source);
    const control = this.controlOf(source);
    if (!control || !wasOn || wasOn.length === 0) return; // without a control it is gone, with all that it held
    try {
      await switchTriggers(control, true, wasOn);
      this.say(source, 'info', 'Redeploys go on.');
    } catch (error) {
      this.say(source, 'warn', `Redeploys are still held, turn them on again by hand: ${rawText(error)}`);
    }
  }

  private controlOf(source: SourceName): SkaffoldControl | undefined {
    const run = this.parts.store.state.skaffold.get(source);
    return run?.about && !run.ended ? this.parts.controlOf(run.about.port) : undefined;
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
