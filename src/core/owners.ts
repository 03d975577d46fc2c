import { Coalesced } from '../lib/coalesce.ts';
import { within } from '../lib/deadline.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import type { AttachCoordinator, AttachWishes } from './attach.ts';
import { isLooping } from './follow/crashLoop.ts';
import type { InstanceId } from './identity.ts';
import type { Container, SourceName } from './model.ts';
import type { ArtifactOverride, AutoAttachRule } from './runs.ts';
import { rowsOf } from './selectors.ts';
import { runOf } from './skaffold.ts';
import type { Store } from './store.ts';

/** What a session says of the containers that are its own. */
export type AttachRules = Readonly<{
  autoAttach: AutoAttachRule;
  /** By artifact. */
  artifacts: ReadonlyMap<string, ArtifactOverride>;
}>;

/** The debuggers below a session. */
export interface Children {
  /** From now on nothing is attached without a click. */
  close(): void;
  /** Ends them all at once, and the attaches that are under way; the debuggees go on. Names those that took longer than the limit. */
  detachAll(limitMs: number): Promise<readonly string[]>;
}

/** What the owners put to work. */
export interface OwnersParts {
  readonly store: Store;
  readonly attach: Pick<AttachCoordinator, 'attach' | 'detach'>;
  /** Nothing is attached there without a click. */
  isProtected(container: Container): boolean;
  /** Whether breakpoints are set that may be meant for it. */
  hasBreakpoints(container: Container): boolean;
  /** Whether the user wants a debugger on it. */
  ask(container: Container): Promise<boolean>;
}

interface Owner {
  readonly id: string;
  /** The run whose containers are its own; without one, those that are nobody's. */
  readonly source: SourceName | undefined;
  readonly rules: AttachRules;
  /** Each run of a container is attached to once: who detached it meant it. */
  readonly tried: Set<InstanceId>;
  isOpen: boolean;
}

const redrawMs = 50;

/** Debug sessions that containers belong to: they attach by rule, and their end is the end of the debuggers below them. */
export class Owners implements Disposable {
  private readonly owners = new Map<string, Owner>();
  private readonly own = new Disposables();
  private readonly parts: OwnersParts;

  constructor(parts: OwnersParts) {
    this.parts = parts;
    const look = this.own.add(new Coalesced(redrawMs, () => this.look()));
    this.own.add(parts.store.onDidChange(look.call));
  }

  /** `id` is the debug session's; `source` its Skaffold's, absent for a cluster alone. A second call begins anew. */
  open(id: string, source: SourceName | undefined, rules: AttachRules): Children {
    const owner: Owner = { id, source, rules, tried: new Set(), isOpen: true };
    this.owners.set(id, owner);
    this.look();
    return {
      close: () => void (owner.isOpen = false),
      detachAll: limitMs => this.detachAll(owner, limitMs),
    };
  }

  /** The debug session is over. */
  forget(id: string): void {
    this.owners.delete(id);
  }

  /** What the session of a container wants for it. */
  wishesFor(container: Container): AttachWishes | undefined {
    const owner = this.ownerOf(container);
    return owner && { owner: owner.id, configuration: overrideOf(owner, container)?.configuration ?? {} };
  }

  dispose(): void {
    this.own.dispose();
    this.owners.clear();
  }

  /** Attaches to what is ready and wanted; also called when breakpoints have changed. */
  look(): void {
    if (this.owners.size === 0) return;
    for (const { container, isAttachable, followed } of rowsOf(this.parts.store.state)) {
      const owner = isAttachable && followed === undefined ? this.ownerOf(container) : undefined;
      if (!owner?.isOpen || owner.tried.has(container.id)) continue;
      const rule = overrideOf(owner, container)?.autoAttach ?? owner.rules.autoAttach;
      if (this.isCandidate(rule, container)) void this.attachByRule(owner, rule, container);
    }
  }

  private ownerOf(container: Container): Owner | undefined {
    const run = runOf(this.parts.store.state, container);
    const all = [...this.owners.values()].reverse();
    return all.find(({ source }) => source !== undefined && source === run) ?? all.find(({ source }) => !source);
  }

  private isCandidate(rule: AutoAttachRule, container: Container): boolean {
    if (rule === 'never' || isLooping(container) || this.parts.isProtected(container)) return false;
    return rule !== 'ifBreakpoints' || this.parts.hasBreakpoints(container);
  }

  private async attachByRule(owner: Owner, rule: AutoAttachRule, container: Container): Promise<void> {
    owner.tried.add(container.id);
    if (rule === 'ask' && !(await this.parts.ask(container))) return;
    if (owner.isOpen) await this.parts.attach.attach(container.slot).catch(() => undefined); // the row and the log have it
  }

  private async detachAll({ id }: Owner, limitMs: number): Promise<readonly string[]> {
    const { attach, store } = this.parts;
    const { sessions, attaches, entries, following } = store.state;
    const begun = [...attaches].flatMap(([slot, { kind }]) => {
      const container = kind === 'running' ? entries.get(slot)?.container : undefined;
      return container && this.ownerOf(container)?.id === id ? [{ slot, name: container.container }] : [];
    });
    const own = [...sessions.values(), ...following.values()].filter(({ owner }) => owner === id);
    const live = own.map(({ slot, name }) => ({ slot, name }));
    const left = [...live, ...begun].map(async ({ slot, name }) => {
      const isDone = within(limitMs, undefined, () => attach.detach(slot)).then(() => true);
      return (await isDone.catch(() => false)) ? [] : [name];
    });
    return (await Promise.all(left)).flat();
  }
}

const overrideOf = ({ rules }: Owner, { detection }: Container): ArtifactOverride | undefined =>
  detection.artifact === undefined ? undefined : rules.artifacts.get(detection.artifact);
