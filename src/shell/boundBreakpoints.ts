import * as vscode from 'vscode';
import type { Store } from '../core/store.ts';
import { mappedIn } from '../debuggers/mappedPaths.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import { Bindings, boundIn, breakpointsOf } from './bindings.ts';
import { fields } from './fields.ts';
import { isRoot, keyOf } from './sessionKey.ts';

/** So long a program may take to load what is already running, with its source maps. */
const settleMs = 3_000;

interface Watched {
  /** By VS Code's session id: a debugger may have children. */
  readonly adapters: Map<string, Bindings>;
  configuration: Readonly<Record<string, unknown>>;
  timer?: NodeJS.Timeout;
}

/** Looks which breakpoints the programs have taken, once they run with their debuggers, and tells the store. */
export class BoundBreakpoints implements Disposable {
  /** By our own id of a session. */
  private readonly watched = new Map<string, Watched>();
  private readonly own = new Disposables();
  private readonly store: Pick<Store, 'apply' | 'state'>;

  constructor(store: Pick<Store, 'apply' | 'state'>) {
    this.store = store;
    this.own.add(
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: session => this.trackerOf(session),
      }),
    );
  }

  dispose(): void {
    for (const { timer } of this.watched.values()) clearTimeout(timer);
    this.watched.clear();
    this.own.dispose();
  }

  private trackerOf(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    const id = keyOf(session);
    if (id === undefined) return undefined;
    const watched = this.watched.get(id) ?? { adapters: new Map<string, Bindings>(), configuration: {} };
    this.watched.set(id, watched);
    if (isRoot(session)) watched.configuration = fields(session.configuration);
    const bindings = new Bindings();
    watched.adapters.set(session.id, bindings);
    return {
      onWillReceiveMessage: message => bindings.toAdapter(message),
      onDidSendMessage: message => {
        if (bindings.fromAdapter(message)) this.lookLater(id, watched);
      },
      onWillStopSession: () => {
        watched.adapters.delete(session.id);
        if (watched.adapters.size > 0) return;
        clearTimeout(watched.timer);
        this.watched.delete(id);
      },
    };
  }

  private lookLater(sessionId: string, watched: Watched): void {
    watched.timer ??= setTimeout(() => {
      delete watched.timer;
      this.look(sessionId, watched);
    }, settleMs);
  }

  private look(sessionId: string, watched: Watched): void {
    const session = this.store.state.sessions.get(sessionId);
    if (!session) return this.lookLater(sessionId, watched); // it is only starting
    const adapters = [...watched.adapters.values()].filter(({ isConfigured }) => isConfigured);
    const others = [...this.watched.values()].filter(other => other !== watched);
    const elsewhere = boundIn(others.flatMap(other => [...other.adapters.values()]));
    const breakpoints = breakpointsOf(adapters, mappedIn(watched.configuration), elsewhere);
    const told = session.breakpoints ?? { bound: 0, unbound: [] };
    if (JSON.stringify(breakpoints) !== JSON.stringify(told))
      this.store.apply({ kind: 'breakpoints', sessionId, breakpoints });
  }
}
