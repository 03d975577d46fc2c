import type { Access } from '../cluster/access.ts';
import type { Forwards } from '../core/contracts.ts';
import type { Source } from '../core/feed.ts';
import type { Container } from '../core/model.ts';
import type { RecipeOverrides } from '../core/recipeOverrides.ts';
import type { Store } from '../core/store.ts';
import type { NetcoreInside, NetcoreSearch } from '../debuggers/netcore/inside.ts';
import type { NodeProcess } from '../debuggers/onDemand/processes.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import { Once } from '../lib/once.ts';

/** What clusters need from the rest. */
export interface ClustersParts {
  /** The cluster of a container; throws for one that was never watched. */
  accessOf(cluster: string): Access;
  store(): Store;
  /** The user's recipes, as they are now. */
  overrides(): RecipeOverrides;
  /** Takes a line for people, with foreign text in it. */
  log(text: string): void;
}

/** What this window does with clusters: loaded when it looks at one for the first time. */
export class Clusters implements Forwards, Disposable {
  private readonly own = new Disposables();
  private readonly told = new Once();
  private loaded: ReturnType<Clusters['load']> | undefined;
  private readonly parts: ClustersParts;

  constructor(parts: ClustersParts) {
    this.parts = parts;
  }

  /** Forwards a port of a pod. Throws `UserError`. */
  async open(...args: Parameters<Forwards['open']>): ReturnType<Forwards['open']> {
    const { forwards } = await this.work();
    return forwards.open(...args);
  }

  /** The pods of some namespaces, or of all of them. */
  podsOf(access: Access, namespaces: readonly string[] | 'all'): Source {
    return async function* (this: Clusters, signal: AbortSignal) {
      const { kubeApi, detect, detectWith, opened, remarksOn, watchScopes, wordsOf } = await this.work();
      const overrides = this.parts.overrides();
      yield* watchScopes({
        api: kubeApi(access),
        detect: opened.detectWith(detectWith(overrides, detect)),
        words: [...wordsOf(overrides), ...opened.words],
        remarks: remarksOn,
        told: this.told,
        ...(namespaces === 'all' ? {} : { namespaces }),
        fallback: [access.namespace],
      })(signal);
    }.bind(this);
  }

  /** The containers that run in some namespaces, or in all of them, whether they can be debugged or not. Throws `UserError`. */
  async runningIn(
    access: Access,
    namespaces: readonly string[] | 'all',
    signal: AbortSignal,
  ): Promise<readonly Container[]> {
    const { kubeApi, runningContainers } = await this.work();
    return runningContainers(kubeApi(access), namespaces, signal);
  }

  /**
   * Opens the inspector of a Node program that runs without; from the next look at its pod on it can be debugged. `pick`
   * decides between several programs. Whether it is open now. Throws `UserError`, or the reason of `signal`.
   */
  async openInspector(
    container: Container,
    pick: (programs: readonly NodeProcess[]) => Promise<NodeProcess | undefined>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { exec, opened } = await this.work();
    const { openInspector, processText } = await import('../debuggers/later.ts');
    const found = await openInspector({ exec, at: container, pick, signal });
    if (!found) return false;
    const { podUid, pod, container: name, containerId = '' } = container;
    const { port, process } = found;
    const program = processText(process);
    opened.add({ podUid, pod, container: name, containerId, port, program, workingDir: process.cwd });
    return true;
  }

  /** The .NET debugger in a container, and the program that it is for; `undefined` when the user gives up. Throws `UserError`. */
  async netcoreInside(at: Container, search: Omit<NetcoreSearch, 'exec' | 'at'>): Promise<NetcoreInside | undefined> {
    const { exec } = await this.work();
    const { netcoreInside } = await import('../debuggers/later.ts');
    return netcoreInside({ ...search, exec, at });
  }

  dispose(): void {
    this.own.dispose();
  }

  private work() {
    return (this.loaded ??= this.load());
  }

  private async load() {
    const part = await import('../cluster/later.ts');
    const { accessOf, log, store } = this.parts;
    const apiOf = (cluster: string) => part.kubeApi(accessOf(cluster));
    this.own.add(new part.LastWordsReader(store(), apiOf));
    this.own.add(new part.ProbeKillReader(store(), apiOf));
    this.own.add(new part.LeaseReader(store(), apiOf));
    return {
      ...part,
      forwards: this.own.add(part.openForwards({ accessOf, log })),
      exec: new part.ClusterExec({ accessOf, log }),
      opened: new part.OpenedInspectors(),
    };
  }
}
