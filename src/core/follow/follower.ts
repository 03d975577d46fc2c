import { sleep } from '../../lib/backoff.ts';
import { within } from '../../lib/deadline.ts';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import { rawText, type Step, UserError } from '../errors.ts';
import type { SlotId } from '../identity.ts';
import type { Container, Following, Session, State } from '../model.ts';
import { rowAt } from '../selectors.ts';
import type { Store } from '../store.ts';
import { isLooping } from './crashLoop.ts';
import { heirOf, heirsOf, othersOf, slotsWithSession } from './heirs.ts';
import { notFollowed } from './problems.ts';

/** What becomes of a debugger that is lost: it comes back by itself, when the user says yes, or not at all. */
export type FollowRule = 'always' | 'ask' | 'never';

/** How long a successor is waited for, and the pause after a try that failed, in milliseconds. */
export const followLimitsMs = { successor: 10 * 60_000, retry: 1_000 } as const;

/** Tries on one successor: a program can end between its listener's answer and the attach. */
const MOST_TRIES = 3;

/** Leaving takes seconds at most; after this it has gone wrong. */
const LEAVE_MS = 10_000;

/** What the follower puts to work. */
export interface FollowerParts {
  readonly store: Store;
  ruleFor(container: Container): FollowRule;
  /** Whether the user wants the debugger back on this container. */
  ask(container: Container): Promise<boolean>;
  attach(slot: SlotId): Promise<void>;
  /** Ends a session that is to go on elsewhere. */
  leave(sessionId: string): Promise<void>;
  readonly limitsMs?: Readonly<{ successor: number; retry: number }>;
}

/** What a session began with. */
interface Beginning {
  readonly container: Container;
  readonly siblings: ReadonlySet<SlotId>;
}

/** A lost session whose successor is not there yet. */
interface Waiting {
  readonly given: AbortController;
  readonly expiry: NodeJS.Timeout;
  /** The user need not be asked, or has said yes. */
  isAllowed: boolean;
  tries: number;
  isBusy: boolean;
}

/** Where a session goes, and what its end settles. */
interface Move {
  readonly to: SlotId;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Brings lost debuggers back: to the next run of the container, the next process in it, or the pod that takes its place. A
 * debugger on a pod that is being deleted moves when its successor runs, unless the program is paused.
 */
export class Follower implements Disposable {
  private readonly begun = new Map<string, Beginning>();
  private readonly waiting = new Map<string, Waiting>();
  /** By the session that ends since it moves. */
  private readonly moves = new Map<string, Move>();
  private readonly own = new Disposables();
  private readonly parts: FollowerParts;

  constructor(parts: FollowerParts) {
    this.parts = parts;
    this.own.add(parts.store.onDidChange(() => this.look()));
  }

  /** A session is on a container; in place of a lost one, perhaps. */
  began(sessionId: string, container: Container, lost: Following | undefined): void {
    const siblings = new Set(othersOf(this.parts.store.state, container).map(({ slot }) => slot));
    this.begun.set(sessionId, { container, siblings });
    if (lost) this.clear(lost.id);
  }

  /** A session is over. Follows it unless the user wanted its end. */
  ended(session: Session, isWanted: boolean): void {
    const beginning = this.begun.get(session.id);
    const move = this.moves.get(session.id);
    this.begun.delete(session.id);
    this.moves.delete(session.id);
    if (beginning && (move || !isWanted)) this.follow(session, beginning);
    move?.done.resolve();
  }

  /** Settles when the session that moves to this container, if there is one, has left. Never rejects. */
  async moveTo(slot: SlotId): Promise<void> {
    const move = [...this.moves.values()].find(({ to }) => to === slot);
    if (move) await within(LEAVE_MS, undefined, () => move.done.promise).catch(() => undefined);
  }

  /** The lost session that an attach to this container continues. */
  lostFor(slot: SlotId): Following | undefined {
    const { state } = this.parts.store;
    for (const [id, heir] of heirsOf(state)) if (heir.slot === slot) return state.following.get(id);
    return undefined;
  }

  /** An attach in place of a lost session has failed at a step. Whether it goes on being tried; else it is given up. */
  goesOn({ id }: Following, error: unknown, step: Step): boolean {
    const waiting = this.waiting.get(id);
    if (!waiting) return false;
    const code = error instanceof UserError ? error.code : '';
    if (['run-ended', 'container-gone', 'container-not-ready'].includes(code)) return true;
    waiting.tries++;
    const isFinal = step === 'debugger' || waiting.tries >= MOST_TRIES;
    if (isFinal) this.drop(id, notFollowed.failed(rawText(error)));
    return !isFinal;
  }

  /** The user does not want what was lost on this container, or would come to it, any more. */
  forget(slot: SlotId): void {
    const heir = this.lostFor(slot);
    for (const { id, slot: own } of [...this.parts.store.state.following.values()])
      if (own === slot || id === heir?.id) this.drop(id);
  }

  dispose(): void {
    for (const id of [...this.waiting.keys()]) this.clear(id);
    this.own.dispose();
  }

  private get limitsMs() {
    return this.parts.limitsMs ?? followLimitsMs;
  }

  private follow(session: Session, { container, siblings }: Beginning): void {
    const { store } = this.parts;
    const now = store.state.entries.get(session.slot)?.container ?? container;
    const rule = this.parts.ruleFor(container);
    if (rule === 'never' || isDone(now)) return;
    const { paused: _1, sources: _2, breakpoints: _3, isRunUnsure: _4, ...kept } = session;
    const { id } = session;
    const late = () => this.drop(id, notFollowed.late(this.limitsMs.successor / 60_000));
    const expiry = setTimeout(late, this.limitsMs.successor).unref();
    this.waiting.set(id, {
      given: new AbortController(),
      expiry,
      isAllowed: rule === 'always',
      tries: 0,
      isBusy: false,
    });
    store.apply({ kind: 'following', following: { ...kept, siblings } });
  }

  private look(): void {
    const { state } = this.parts.store;
    if (state.following.size === 0 && state.sessions.size === 0) return;
    const heirs = heirsOf(state);
    for (const [id, heir] of heirs) {
      const waiting = this.waiting.get(id);
      if (!waiting || waiting.isBusy) continue;
      if (isLooping(heir)) this.drop(id, notFollowed.looping);
      else if (rowAt(state, heir.slot)?.isAttachable) void this.bringBack(id, waiting, heir);
    }
    this.move(state, new Set([...slotsWithSession(state), ...[...heirs.values()].map(({ slot }) => slot)]));
  }

  private async bringBack(id: string, waiting: Waiting, heir: Container): Promise<void> {
    waiting.isBusy = true;
    try {
      waiting.isAllowed ||= await this.parts.ask(heir);
      if (!waiting.isAllowed) this.drop(id, notFollowed.declined);
      else if (this.waiting.has(id)) await this.parts.attach(heir.slot);
    } catch {
      // The row or the log has it.
      await sleep(this.limitsMs.retry * waiting.tries, waiting.given.signal).catch(() => undefined);
    }
    waiting.isBusy = false;
    if (this.waiting.has(id)) this.look();
  }

  private move(state: State, taken: Set<SlotId>): void {
    for (const { id, slot, paused } of state.sessions.values()) {
      const beginning = this.begun.get(id);
      const container = state.entries.get(slot)?.container;
      if (!beginning || paused || container?.phase.kind !== 'terminating' || this.moves.has(id)) continue;
      if (this.parts.ruleFor(container) !== 'always') continue;
      const heir = heirOf(state, { ...container, siblings: beginning.siblings }, taken);
      if (!heir || isLooping(heir) || !rowAt(state, heir.slot)?.isAttachable) continue;
      taken.add(heir.slot);
      this.moves.set(id, { to: heir.slot, done: Promise.withResolvers() });
      void this.parts.leave(id).catch(() => this.moves.delete(id));
    }
  }

  /** It does not come back. */
  private drop(id: string, why?: string): void {
    this.clear(id);
    this.parts.store.apply({ kind: 'unfollowed', id, ...(why === undefined ? {} : { why }) });
  }

  private clear(id: string): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.expiry);
    waiting?.given.abort();
  }
}

/** It has done what it was for. One of a Deployment that ends has a successor, also when its pod is just being deleted. */
const isDone = ({ phase, workload }: Container): boolean =>
  phase.kind === 'terminated' &&
  !phase.willRestart &&
  phase.exitCode === 0 &&
  ['Job', 'CronJob', 'Pod'].includes(workload.kind);
