import { DeadlineError, within } from '../lib/deadline.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import type {
  DebugConfiguration,
  DebugSessions,
  Fields,
  Forward,
  Forwards,
  Inside,
  PathMap,
  Ready,
  Recipe,
  Recipes,
  SourcePaths,
} from './contracts.ts';
import { attachCancelled, containerGone, notInside, stepTimedOut } from './attachProblems.ts';
import { attachable, forwardTarget, portOf, sessionOf } from './attachTarget.ts';
import { failureOf, type Step, UserError } from './errors.ts';
import type { InstanceId, SlotId } from './identity.ts';
import type { Container, Following, Session } from './model.ts';
import { Follower, type FollowerParts } from './follow/follower.ts';
import { runEnded } from './follow/problems.ts';
import { Release } from './release.ts';
import type { Store } from './store.ts';

/** How long each step of an attach may take, in milliseconds. A Java debugger waits for its language server. */
export const stepLimitsMs: Readonly<Record<Step, number>> = Object.freeze({
  debugger: 5_000,
  container: 120_000, // the user may have to say which of several programs in it is meant
  forward: 20_000,
  listener: 30_000,
  paths: 10_000,
  session: 120_000,
});

/** The same for the listener of a program whose debugger was lost: nodemon starts it again when somebody saves a file. */
const followedListenerMs = 5 * 60_000;

type RunStep = <T>(step: Step, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** What the session of a Skaffold wants for one of its containers. */
export type AttachWishes = Readonly<{
  /** The debug session that the new one belongs to. */
  owner: string;
  /** Fields that go before those which were found out. */
  configuration: Fields;
}>;

/** What the coordinator puts to work. */
export interface AttachParts {
  readonly store: Store;
  readonly forwards: Forwards;
  readonly recipes: Recipes;
  readonly paths: SourcePaths;
  readonly sessions: DebugSessions;
  /** Finds the debugger that is a program in the container. Throws `UserError`; it has no debugger, or it may not be run. */
  inside?(container: Container, signal: AbortSignal): Promise<Inside>;
  /** Whether a debugger that is lost comes back. */
  readonly follow: Pick<FollowerParts, 'ruleFor' | 'ask' | 'limitsMs'>;
  /** What a session that the user has started wants for a container that is its own. */
  wishesFor?(container: Container): AttachWishes | undefined;
  configurationOf(
    recipe: Recipe,
    container: Container,
    at: { host: string; port: number },
    paths: PathMap,
  ): DebugConfiguration;
  readonly limitsMs?: Readonly<Record<Step, number>>;
}

interface Running {
  readonly control: AbortController;
  /** In whose place it attaches. */
  readonly lost: Following | undefined;
  /** Of the session that it starts. */
  name?: string;
  readonly done: Promise<void>;
}

/** A forward whose listener has answered. */
interface Reached {
  readonly instance: InstanceId;
  readonly forward: Forward;
  readonly ready: Ready;
  readonly inside?: Inside | undefined;
}

/**
 * Attaches and detaches, and brings lost debuggers back. Each attach goes through the steps in their order, each with its own
 * limit; what fails names its step on the row and leaves nothing behind.
 */
export class AttachCoordinator implements Disposable {
  private readonly running = new Map<SlotId, Running>();
  /** By session. */
  private readonly attached = new Map<string, Readonly<{ forward: Forward; recipe: Recipe }>>();
  private readonly release: Release;
  private readonly follower: Follower;
  /** Of suspended programs whose session did not start: closing the probe's connection would start the program. */
  private readonly kept = new Map<SlotId, Reached>();
  private readonly own = new Disposables();
  private readonly parts: AttachParts;

  constructor(parts: AttachParts) {
    this.parts = parts;
    this.release = new Release(parts.store);
    this.own.add(parts.sessions.onDidEnd(({ sessionId, isWanted }) => this.ended(sessionId, isWanted)));
    this.own.add(parts.sessions.onDidPause(pause => parts.store.apply({ kind: 'paused', ...pause })));
    this.own.add(parts.store.onDidChange(() => this.watchLives()));
    const attach = (slot: SlotId) => this.attach(slot);
    const leave = (id: string) => parts.sessions.detach(id);
    this.follower = this.own.add(new Follower({ ...parts.follow, store: parts.store, attach, leave }));
  }

  /**
   * Attaches to a container, or focuses the session that it has; a second call while the first is under way joins it.
   * Rejects with the `UserError` that the row shows too.
   */
  async attach(slot: SlotId): Promise<void> {
    await this.follower.moveTo(slot);
    await this.release.of(slot);
    const session = this.sessionOn(slot);
    if (session) return this.parts.sessions.focus(session.id);
    const under = this.running.get(slot);
    if (under) return under.done;
    const control = new AbortController();
    const lost = this.follower.lostFor(slot);
    const done = this.run(slot, lost, control.signal).finally(() => this.running.delete(slot));
    this.running.set(slot, { control, lost, done });
    return done;
  }

  /** Ends the session on a container, or the attach that is under way; the debuggee goes on. */
  async detach(slot: SlotId): Promise<void> {
    this.follower.forget(slot);
    this.running.get(slot)?.control.abort(attachCancelled());
    this.takeKept(slot)?.forward.dispose();
    const session = this.sessionOn(slot);
    if (session) await this.parts.sessions.detach(session.id);
    await this.release.of(slot);
  }

  /** Before `dispose`, when the window goes with its sessions: frees what debuggers would leave stopped. Takes seconds at most. */
  releaseAll(): Promise<void> {
    const { sessions } = this.parts.store.state;
    return this.release.all(
      [...this.attached].flatMap(([id, { forward, recipe }]) => {
        const session = sessions.get(id);
        return session ? [{ session, forward, recipe }] : [];
      }),
    );
  }

  dispose(): void {
    for (const { control } of this.running.values()) control.abort(attachCancelled());
    for (const { forward } of this.attached.values()) forward.dispose();
    this.attached.clear();
    for (const { forward } of this.kept.values()) forward.dispose();
    this.kept.clear();
    this.own.dispose();
  }

  private async run(slot: SlotId, lost: Following | undefined, signal: AbortSignal): Promise<void> {
    const { store } = this.parts;
    let step: Step = 'debugger';
    let reached: Reached | undefined;
    const at: RunStep = async (next, work) => {
      step = next;
      store.apply({ kind: 'attaching', slot, step });
      return within(this.limitMs(step, lost), signal, work);
    };
    try {
      const container = attachable(store, slot);
      const wishes = this.parts.wishesFor?.(container);
      const recipe = await at('debugger', async () => this.recipeFor(container, wishes?.configuration));
      reached = this.takeKept(slot) ?? (await this.reach(container, recipe, lost, at, signal));
      const { forward, ready, inside } = reached;
      const paths = await at('paths', () => this.parts.paths.mapFor(container, ready));
      const local = { host: '127.0.0.1', port: forward.localPort };
      const found = { ...inside?.fieldsAt(local), ...this.parts.configurationOf(recipe, container, local, paths) };
      const name = lost?.name ?? this.freeName(slot, found.name);
      const how = { owner: wishes?.owner, isQuiet: lost !== undefined };
      const id = await at('session', s => this.parts.sessions.start({ ...found, name }, s, how));
      this.attached.set(id, { forward, recipe });
      // A container that was restarted meanwhile is the one that the debugger has reached.
      const reachedNow = store.state.entries.get(slot)?.container ?? container;
      this.follower.began(id, reachedNow, lost);
      store.apply({
        kind: 'attached',
        session: {
          ...sessionOf(id, reachedNow, name, forward.localPort, wishes?.owner),
          ...(lost?.instance === reachedNow.id ? { isRunUnsure: true } : {}),
        },
        sources: paths.sources,
        ...(lost ? { follows: lost.id } : {}),
      });
    } catch (error) {
      const shown = error instanceof DeadlineError ? stepTimedOut(step, error) : error;
      const isCancelled = shown instanceof UserError && shown.code === 'attach-cancelled';
      if (reached) this.letGo(slot, reached, isCancelled);
      const goesOn = lost !== undefined && this.follower.goesOn(lost, shown, step);
      if (isCancelled || goesOn) store.apply({ kind: 'attach-cancelled', slot });
      else store.apply({ kind: 'attach-failed', slot, failure: failureOf(shown, step) });
      throw shown;
    }
  }

  /** Container, forward, listener: the way to the debuggee. */
  private async reach(
    container: Container,
    recipe: Recipe,
    lost: Following | undefined,
    at: RunStep,
    signal: AbortSignal,
  ): Promise<Reached> {
    const inside = recipe.isInside && (await at('container', s => this.inside(container, s)));
    const port = inside ? 0 : await at('container', async () => portOf(container));
    const target = {
      ...forwardTarget(container, port),
      ...(lost ? { localPort: lost.localPort } : {}),
      ...(inside ? { inside: { container: container.container, command: inside.command } } : {}),
    };
    const forward = await at('forward', s => this.parts.forwards.open(target, s));
    try {
      const ready = await at('listener', () =>
        this.listener(recipe, container, forward, this.limitMs('listener', lost), signal),
      );
      return { instance: container.id, forward, ready, inside };
    } catch (error) {
      forward.dispose();
      throw error;
    }
  }

  private async inside(container: Container, signal: AbortSignal): Promise<Inside> {
    if (!this.parts.inside) throw notInside();
    return this.parts.inside(container, signal);
  }

  private takeKept(slot: SlotId): Reached | undefined {
    const reached = this.kept.get(slot);
    this.kept.delete(slot);
    return reached;
  }

  private letGo(slot: SlotId, reached: Reached, isGivenUp: boolean): void {
    const container = this.parts.store.state.entries.get(slot)?.container;
    const waits = container?.detection.verdict === 'suspended' && container.id === reached.instance;
    if (waits && !isGivenUp) this.kept.set(slot, reached);
    else reached.forward.dispose();
  }

  private recipeFor(container: Container, wishes: Fields | undefined): Recipe {
    const recipe = this.parts.recipes.recipeFor(container, wishes);
    this.parts.sessions.check(recipe);
    return recipe;
  }

  /** The probe ends at its own limit with its last cause in its error; the step's limit, a little later, is the net below. */
  private listener(recipe: Recipe, container: Container, forward: Forward, limitMs: number, signal: AbortSignal) {
    const limit = AbortSignal.timeout(limitMs * 0.95);
    const { verdict, takesMany = false } = container.detection;
    const suspended = verdict === 'suspended';
    const onWait = ({ message }: UserError) =>
      this.parts.store.apply({ kind: 'attaching', slot: container.slot, step: 'listener', waitsFor: message });
    return recipe.ready(forward, { suspended, takesMany, signal: AbortSignal.any([signal, limit]), onWait });
  }

  /**
   * The pod watch is the truth about life: what it ends is not attached to, and its forward leads nowhere. What is only
   * not watched any more (another namespace was chosen, nobody looks) has not ended: its life is still known.
   */
  private watchLives(): void {
    const { entries, lives, sessions } = this.parts.store.state;
    for (const [slot, { control, lost }] of this.running)
      if (!lives.has(slot)) control.abort(containerGone());
      else if (lost && entries.get(slot)?.container.phase.kind !== 'running') control.abort(runEnded());
    for (const [slot, { instance, forward }] of this.kept) {
      const now = entries.get(slot)?.container.id ?? instance;
      if (lives.has(slot) && now === instance) continue;
      this.kept.delete(slot);
      forward.dispose();
    }
    for (const [id, { forward }] of this.attached) {
      const session = sessions.get(id);
      if (session && !lives.has(session.slot)) forward.retarget(undefined);
    }
  }

  private ended(sessionId: string, isWanted: boolean): void {
    const { store } = this.parts;
    const { forward, recipe } = this.attached.get(sessionId) ?? {};
    this.attached.delete(sessionId);
    const session = store.state.sessions.get(sessionId);
    const over = () => {
      forward?.dispose();
      store.apply({ kind: 'detached', sessionId, isLost: !isWanted });
      if (session) this.follower.ended(session, isWanted);
    };
    // The row says "attached" meanwhile, since the breakpoints of a next session are to stay.
    const leaving = forward && recipe && session && this.release.after(session, forward, recipe);
    if (leaving) void leaving.finally(over);
    else over();
  }

  private sessionOn(slot: SlotId): Session | undefined {
    return [...this.parts.store.state.sessions.values()].find(session => session.slot === slot);
  }

  /** Debuggers of several replicas of one workload are told apart by a number, which stays theirs. */
  private freeName(slot: SlotId, name: string): string {
    const { sessions, following } = this.parts.store.state;
    const all = [...sessions.values(), ...following.values(), ...this.running.values()];
    const taken = new Set(all.map(one => one.name));
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name} #${n}`;
    const running = this.running.get(slot);
    if (running) running.name = free;
    return free;
  }

  private limitMs(step: Step, lost: Following | undefined): number {
    const limitsMs = this.parts.limitsMs ?? stepLimitsMs;
    return step === 'listener' && lost ? Math.max(limitsMs.listener, followedListenerMs) : limitsMs[step];
  }
}
