import * as vscode from 'vscode';
import type { Application } from '../../core/application.ts';
import type { Owners } from '../../core/owners.ts';
import type { SkaffoldLaunch, SkaffoldProcess } from '../../core/runs.ts';
import { sleep } from '../../lib/backoff.ts';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import { Emitter } from '../../lib/emitter.ts';
import type { SessionParts } from '../../session/parts.ts';
import type { VscodeDebugSessions } from '../debugSessions.ts';
import { skaffoldSourceName } from '../../skaffold/sourceName.ts';
import { fields } from '../fields.ts';
import { attachOf, debugType, launchOf, type LaunchPlace } from '../launch/launchOptions.ts';
import { launchPlace } from '../launch/registerLaunch.ts';
import type { SessionScope, Watching } from '../watching.ts';
import type { SkaffoldRuns } from './runs.ts';

/** What sessions of our own debug type put to work. */
export interface SkaffoldSessionsParts {
  readonly app: Pick<Application, 'store' | 'log'>;
  readonly owners: Owners;
  readonly runs: SkaffoldRuns;
  readonly watching: Watching;
  readonly debugSessions: VscodeDebugSessions;
  readonly defaults: LaunchPlace['defaults'];
  /** `onContext` is told the context that Skaffold will work in, where the launch or its files name one. */
  preflight(
    launch: SkaffoldLaunch,
    onContext: (context: string) => void,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  start(launch: SkaffoldLaunch, signal: AbortSignal): Promise<SkaffoldProcess>;
}

/** How long the cluster of a session is watched after its end. */
const lingerMs = 15_000;

/** One debug session, and what is watched for it. */
interface Live {
  readonly session: vscode.DebugSession;
  source?: string;
  /** Of the only Skaffold that runs, for a session that names none. */
  onlyPort?: number | undefined;
  scope?: Disposable;
}

/** The debug sessions of type `breakpod` in this window: gives each its adapter, and knows which has which Skaffold. */
export class SkaffoldSessions implements vscode.DebugAdapterDescriptorFactory, Disposable {
  private readonly changed = new Emitter<void>();
  /** A session begins, or is over. */
  readonly onDidChange = this.changed.event;

  private readonly live = new Map<string, Live>();
  private readonly own = new Disposables();
  private readonly parts: SkaffoldSessionsParts;

  constructor(parts: SkaffoldSessionsParts) {
    this.parts = parts;
    this.own.add(vscode.debug.registerDebugAdapterDescriptorFactory(debugType, this));
    this.own.add(vscode.debug.onDidTerminateDebugSession(({ id }) => this.over(id)));
  }

  /** At least one is there. */
  get isBusy(): boolean {
    return this.live.size > 0;
  }

  /** The session that has this Skaffold. */
  sessionOf(source: string): vscode.DebugSession | undefined {
    return [...this.live.values()].find(live => live.source === source)?.session;
  }

  async createDebugAdapterDescriptor(session: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor> {
    const { BreakpodSession } = await import('../../session/adapter.ts');
    const live: Live = { session };
    const { request, port } = session.configuration;
    if (request === 'attach' && port === undefined) live.onlyPort = await this.parts.runs.onlyPort();
    this.live.set(session.id, live);
    this.parts.debugSessions.addOwner(session);
    this.changed.fire();
    return new vscode.DebugAdapterInlineImplementation(new BreakpodSession(this.sessionParts(live)));
  }

  dispose(): void {
    for (const { scope } of this.live.values()) scope?.dispose();
    this.own.dispose();
    this.changed.dispose();
  }

  private sessionParts(live: Live): SessionParts {
    const { app, owners, runs, watching } = this.parts;
    const { session } = live;
    const place = launchPlace(session.workspaceFolder, this.parts.defaults);
    let wanted: Omit<SessionScope, 'source'> = {};
    const watch = (source: string | undefined) => {
      const before = live.scope;
      live.scope = watching.watchFor({ ...wanted, ...(source === undefined ? {} : { source }) });
      before?.dispose();
      if (source !== undefined) live.source = source;
    };
    return {
      store: app.store,
      log: app.log,
      sleep,
      preflight: (launch, signal) =>
        this.parts.preflight(launch, context => (wanted = { choice: { ...wanted.choice, context } }), signal),
      start: (launch, signal) => this.start(launch, signal),
      launchOf: args => {
        const order = launchOf(fields(args), place);
        wanted = { choice: choiceOf(order.launch) }; // without a context, Skaffold takes the kubeconfig's own, too
        return order;
      },
      joinOf: args => {
        const order = attachOf(fields(args), place);
        const port = order.port ?? live.onlyPort;
        const isNamed = order.kubeContext !== undefined || order.namespace !== undefined;
        wanted = isNamed ? { choice: choiceOf(order) } : {};
        return port === undefined ? order : { ...order, port };
      },
      follow: (about, drainMs) => {
        const run = runs.follow(about, drainMs);
        watch(run.source);
        return run;
      },
      openChildren: (source, rules) => {
        if (source === undefined) watch(undefined);
        return owners.open(session.id, source, rules);
      },
    };
  }

  /** The log has its beginning and its end, too: of one that ends before it can be read, nothing else tells. */
  private async start(launch: SkaffoldLaunch, signal: AbortSignal): Promise<SkaffoldProcess> {
    const { app, start } = this.parts;
    const { endText } = await import('../../session/words.ts');
    const skaffold = await start(launch, signal);
    const source = skaffoldSourceName(skaffold.port);
    const say = (level: 'info' | 'warn', text: string) => app.store.apply({ kind: 'notice', source, level, text });
    say('info', `Started skaffold debug for "${launch.name}" (process ${skaffold.pid}, RPC port ${skaffold.port})`);
    const tellEnd = async () => {
      const end = await skaffold.ended;
      say(end.code === 0 ? 'info' : 'warn', `"${launch.name}": ${endText(end)}`);
    };
    void tellEnd();
    return skaffold;
  }

  private over(id: string): void {
    const live = this.live.get(id);
    if (!live) return;
    this.live.delete(id);
    this.parts.owners.forget(id);
    // What Skaffold has deleted is still seen to end.
    const { scope } = live;
    if (scope) setTimeout(() => scope.dispose(), lingerMs).unref();
    this.changed.fire();
  }
}

const choiceOf = ({ kubeContext, namespace }: Pick<SkaffoldLaunch, 'kubeContext' | 'namespace'>) => ({
  ...(kubeContext === undefined ? {} : { context: kubeContext }),
  ...(namespace === undefined ? {} : { namespaces: [namespace] }),
});
