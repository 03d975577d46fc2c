import { homedir } from 'node:os';
import { json } from 'node:stream/consumers';
import type { Access } from '../cluster/access.ts';
import type { KubeconfigPlace } from '../cluster/kubeconfig/files.ts';
import type { ContextSummary } from '../cluster/kubeconfig/load.ts';
import type { Application } from '../core/application.ts';
import { failureOf } from '../core/errors.ts';
import type { Source } from '../core/feed.ts';
import type { SourceName } from '../core/model.ts';
import { type Disposable, disposable, Disposables } from '../lib/disposable.ts';
import { Emitter } from '../lib/emitter.ts';
import type { ScopeState } from './situation.ts';

/** What the user chose to watch; what is absent is as kubectl has it. */
export type Choice = Readonly<{ context?: string; namespaces?: readonly string[] | 'all' }>;

const wholeDemo: Choice = { namespaces: 'all' };

/** A cluster that goes before the user's choice: the demo, and the sources of its samples. */
export type Demo = Readonly<{ kubeconfig: string; workspace: string }>;

/** What a session works on, if it says so. `source` is its Skaffold's: the namespaces that this names are watched too. */
export type SessionScope = Readonly<{ choice?: Choice; source?: SourceName }>;

/** What `Watching` needs from the rest. */
export interface WatchingParts {
  readonly choice: { get(): Choice; set(choice: Choice): void };
  /** The kubeconfig file that the settings name. */
  kubeconfigSetting(): string | undefined;
  /** Variables for kubeconfig files, proxies and credential plugins. */
  environment(): NodeJS.ProcessEnv;
  /** A source of the pods of some namespaces, or of all of them. */
  sourceOf(access: Access, namespaces: readonly string[] | 'all'): Source;
  readonly app: Pick<Application, 'watch' | 'store'>;
}

/** Which cluster and namespaces are watched, and whether they are watched now. */
export class Watching implements Disposable {
  private readonly changed = new Emitter<ScopeState>();
  readonly onDidChange = this.changed.event;

  private current: ScopeState = { kind: 'idle' };
  private demo: Demo | undefined;
  /** What is chosen while the demo runs; the user's own choice stays as it is. */
  private demoChoice: Choice = wholeDemo;
  /** What sessions of Skaffold work on, which goes before all else; the last one counts. */
  private readonly sessions: { choice?: Choice | undefined; readonly source?: SourceName }[] = [];
  /** Accesses of this window by cluster: a session outlives the choice of another context. */
  private readonly accesses = new Map<string, Access>();
  private open: Disposables | undefined;
  private watched = '';
  /** Sources of pods that are open. */
  private readonly sources = new Set<SourceName>();
  private readonly parts: WatchingParts;

  constructor(parts: WatchingParts) {
    this.parts = parts;
  }

  get state(): ScopeState {
    return this.current;
  }

  /** The demo runs. */
  get isDemo(): boolean {
    return this.demo !== undefined;
  }

  /** Where the sources of the demo are, while it runs. */
  get demoFolders(): readonly string[] {
    return this.demo ? [this.demo.workspace] : [];
  }

  /** The cluster of a container; throws for one that was never watched. */
  accessOf(cluster: string): Access {
    const access = this.accesses.get(cluster);
    if (!access) throw new Error(`the cluster ${cluster} is not known`);
    return access;
  }

  /** Access to the cluster that is watched now. Throws `UserError` when the kubeconfig has none. */
  async access(): Promise<Access> {
    const { accessOf, loadKubeconfig } = await import('../cluster/later.ts');
    return accessOf(await loadKubeconfig(this.place()), this.choice.context);
  }

  /** The contexts to choose from. Throws `UserError`. */
  async contexts(): Promise<readonly ContextSummary[]> {
    const { contextsOf, loadKubeconfig } = await import('../cluster/later.ts');
    return contextsOf(await loadKubeconfig(this.place()));
  }

  /** Begins to watch, if it does not yet. */
  start(): void {
    if (!this.open) this.reopen();
  }

  /** Stops watching; the rows go. */
  stop(): void {
    this.open?.dispose();
    this.open = undefined;
    this.become({ kind: 'idle' });
  }

  /** Watches anew, from the kubeconfig as it is now. */
  reopen(): void {
    this.open?.dispose();
    const open = new Disposables();
    this.open = open;
    this.watched = this.wanted();
    this.become({ kind: 'loading' });
    const place = this.place();
    this.connect(place, open).catch((error: unknown) => {
      if (this.open === open) this.become({ kind: 'failed', failure: failureOf(error) });
    });
  }

  /** The kubeconfig is another one: watches anew, if it watches at all. */
  reload(): void {
    if (this.open) this.reopen();
  }

  /** Another context, with the namespace that it names. */
  chooseContext(context: string): void {
    this.choose({ context });
  }

  chooseNamespaces(namespaces: readonly string[] | 'all'): void {
    this.choose({ ...this.choice, namespaces });
  }

  /** Watches the demo cluster, all of it at first, until it is `undefined` again. */
  watchDemo(demo: Demo | undefined): void {
    if (this.demo === demo) return;
    this.demo = demo;
    this.demoChoice = wholeDemo;
    if (demo) this.reopen();
    else this.reload();
  }

  /** Watches what a session works on, until the result is disposed. */
  watchFor(scope: SessionScope): Disposable {
    const own = { ...scope };
    this.sessions.push(own);
    this.adopt();
    return disposable(() => {
      this.sessions.splice(this.sessions.indexOf(own), 1);
      this.adopt();
    });
  }

  dispose(): void {
    this.stop();
    this.changed.dispose();
  }

  /** Another choice may count now; what is watched already goes on. */
  private adopt(): void {
    if (this.open && this.watched !== this.wanted()) this.reopen();
  }

  /** Kubeconfig and choice, as text that is equal for equal ones. */
  private wanted(): string {
    return JSON.stringify([this.explicitFile, this.choice]);
  }

  private async connect(place: KubeconfigPlace, open: Disposables): Promise<void> {
    const { accessOf, kubeconfigFiles, loadKubeconfig, watchKubeconfig } = await import('../cluster/later.ts');
    open.add(watchKubeconfig(kubeconfigFiles(place), () => this.reopen()));
    const access = accessOf(await loadKubeconfig(place), this.choice.context);
    if (this.open !== open) return;
    const namespaces = this.choice.namespaces ?? [access.namespace];
    this.accesses.set(access.cluster, access);
    const { store } = this.parts.app;
    open.add(disposable(() => this.removeSources()));
    this.watch(access, namespaces, open);
    if (namespaces !== 'all') {
      const watched = new Set(namespaces);
      const more = () => {
        for (const namespace of this.namedNamespaces()) {
          if (watched.has(namespace)) continue;
          watched.add(namespace);
          this.watch(access, [namespace], open);
        }
      };
      open.add(store.onDidChange(more));
      more();
    }
    this.become({ kind: 'watching', context: access.context, namespaces });
  }

  private watch(access: Access, namespaces: readonly string[] | 'all', open: Disposables): void {
    const source = namedAfter(access.context, this.sources, this.parts.sourceOf(access, namespaces));
    open.add(this.parts.app.watch(access.context, source));
  }

  /** Where the Skaffolds of sessions have deployed to. */
  private *namedNamespaces(): Iterable<string> {
    for (const { source } of this.sessions) {
      const run = source === undefined ? undefined : this.parts.app.store.state.skaffold.get(source);
      for (const { namespace } of run?.reported.values() ?? []) if (namespace) yield namespace;
    }
  }

  /** Nobody looks any more: the rows of all sources go. */
  private removeSources(): void {
    for (const source of this.sources) this.parts.app.store.apply({ kind: 'source-removed', source });
    this.sources.clear();
  }

  private get choice(): Choice {
    const session = this.sessions.findLast(({ choice }) => choice);
    if (session?.choice) return session.choice;
    return this.demo ? this.demoChoice : this.parts.choice.get();
  }

  private choose(choice: Choice): void {
    for (const session of this.sessions) session.choice = undefined; // who chooses now knows of it
    if (this.demo) this.demoChoice = choice;
    else this.parts.choice.set(choice);
    this.reopen();
  }

  private place(): KubeconfigPlace {
    const { explicitFile } = this;
    return { env: this.parts.environment(), home: homedir(), ...(explicitFile ? { explicitFile } : {}) };
  }

  private get explicitFile(): string | undefined {
    const isDemoFirst = this.sessions.every(({ choice }) => !choice);
    return (isDemoFirst ? this.demo?.kubeconfig : undefined) ?? this.parts.kubeconfigSetting();
  }

  private become(state: ScopeState): void {
    this.current = state;
    this.changed.fire(state);
  }
}

/** Names of namespaces that the login may list. Throws `ApiError` 403 when it may not. */
export async function listNamespaces(access: Access, signal: AbortSignal): Promise<readonly string[]> {
  const { kubeApi } = await import('../cluster/later.ts');
  const response = await kubeApi(access).get('/api/v1/namespaces', signal);
  const list = (await json(response)) as { items?: { metadata?: { name?: string } }[] };
  return (list.items ?? []).map(({ metadata }) => metadata?.name).filter(name => name !== undefined);
}

/** Names the context in each source, so that the pods of one cluster do not take the place of another's; notes the names. */
const namedAfter = (context: string, names: Set<SourceName>, source: Source): Source =>
  async function* named(signal) {
    for await (const event of source(signal)) {
      if (!('source' in event)) yield event;
      else {
        const name = `${event.source} of ${context}`;
        names.add(name);
        yield { ...event, source: name };
      }
    }
  };
