// The product without VS Code: watch, store, log, forwards and attach, joined as `src/extension.ts` joins them.
import { detect } from '../../../src/cluster/detect/detect.ts';
import { remarksOn } from '../../../src/cluster/detect/remarks.ts';
import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { watchScopes } from '../../../src/cluster/watch/scopes.ts';
import { Application } from '../../../src/core/application.ts';
import { type Failure, failureText } from '../../../src/core/errors.ts';
import type { DebuggingContainerBody, LogRecord } from '../../../src/core/logRecord.ts';
import type { SourceState } from '../../../src/core/model.ts';
import { type Row, rowsOf } from '../../../src/core/selectors.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { recipes } from '../../../src/debuggers/recipes.ts';
import { Disposables } from '../../../src/lib/disposable.ts';
import { Once } from '../../../src/lib/once.ts';
import { type Choice, Watching } from '../../../src/shell/watching.ts';
import { noFollow } from '../../support/noFollow.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { InspectorSessions } from './productSessions.ts';

export interface ProductOptions {
  /** Whose kubeconfig of the cluster; `admin` unless given. */
  readonly user?: string;
  /** What is watched; the namespace `shop` unless given. */
  readonly namespaces?: readonly string[] | 'all';
}

/** A Started or Terminated of the log. */
export type ContainerEvent = Readonly<{
  status: 'Started' | 'Terminated';
  namespace: string;
  pod: string;
  container: string;
  /** RFC 3339. */
  time: string;
}>;

/**
 * The product, watching a cluster from construction until it is disposed:
 *
 *     const product = await startProduct(cluster, { user: 'dev' });
 *     after(() => product.dispose());
 *     await product.waitForRow('its row', row => row.container.pod === 'flags' && row.state === 'ready');
 *     await assertLogIsComplete(cluster, product); // kubeletRecordCompare.ts
 */
export class Product {
  readonly app: Application;
  readonly watching: Watching;
  /** Sessions of `app.attach` on containers of the runtime `nodejs`. */
  readonly sessions = new InspectorSessions();
  /** What the forwards have said for people. */
  readonly forwardWords: string[] = [];
  /** When the first list was there: milliseconds of this machine's clock; `Infinity` before. */
  watchingSinceMs = Infinity;
  private readonly own = new Disposables();

  constructor(cluster: Cluster, { user = 'admin', namespaces = ['shop'] }: ProductOptions = {}) {
    const forwards = this.own.add(
      openForwards({
        accessOf: id => this.watching.accessOf(id),
        log: text => void this.forwardWords.push(text),
      }),
    );
    const paths = { mapFor: async () => ({ sources: [] }) };
    const parts = { forwards, sessions: this.sessions, recipes, paths, follow: noFollow, configurationOf };
    this.app = this.own.add(new Application(() => new Date(), parts));
    const { app } = this;
    const told = new Once();
    let choice: Choice = { namespaces };
    this.watching = this.own.add(
      new Watching({
        app,
        kubeconfigSetting: () => kubeconfigOf(cluster, user),
        environment: () => process.env,
        choice: { get: () => choice, set: next => void (choice = next) },
        sourceOf: (access, scope) =>
          watchScopes({
            api: kubeApi(access),
            detect,
            remarks: remarksOn,
            told,
            ...(scope === 'all' ? {} : { namespaces: scope }),
            fallback: [access.namespace],
          }),
      }),
    );
    this.own.add(this.sessions);
    app.store.onDidChange(() => {
      if (this.isWatching) this.watchingSinceMs = Math.min(this.watchingSinceMs, Date.now());
    });
    this.watching.start();
  }

  /** Ends the watch, the sessions and the forwards. */
  dispose(): void {
    this.own.dispose();
  }

  get rows(): readonly Row[] {
    return rowsOf(this.app.store.state);
  }

  get records(): readonly LogRecord[] {
    return this.app.log.records;
  }

  /** Every Started and Terminated of the log, in its order. */
  get events(): readonly ContainerEvent[] {
    return this.records
      .filter(({ kind }) => kind === 'debuggingContainerEvent')
      .map(({ body, time }) => {
        const { status, namespace, podName, containerName } = body as DebuggingContainerBody;
        return { status, namespace, pod: podName, container: containerName, time };
      });
  }

  /** How each source is doing, one for each namespace that is watched by itself. */
  get sourceStates(): readonly SourceState[] {
    return [...this.app.store.state.sources.values()];
  }

  /** There are sources, and each is connected and has its list. */
  get isWatching(): boolean {
    return this.sourceStates.length > 0 && this.sourceStates.every(({ kind }) => kind === 'watching');
  }

  /** Why it does not watch now, as the view would say it; empty while it does. */
  get problem(): string {
    const failures = this.sourceStates.flatMap(state => ('failure' in state ? [state.failure] : []));
    const { state } = this.watching;
    return [...failures, ...(state.kind === 'failed' ? [state.failure] : [])]
      .map((f: Failure) => failureText(f))
      .join('\n');
  }

  /** The row of a container of a pod, if there is one. */
  row(pod: string, container = 'web'): Row | undefined {
    return this.rows.find(row => row.container.pod === pod && row.container.container === container);
  }

  /** One line for each row: `shop/flags:web ready`, with `(stale)` where its source is not connected. */
  get words(): string[] {
    return this.rows.map(
      ({ container: { namespace, pod, container }, state, isStale, reason }) =>
        `${namespace}/${pod}:${container} ${state}${isStale ? ' (stale)' : ''}${reason ? `: ${reason}` : ''}`,
    );
  }

  /** Waits for an answer of `look`; when there is none in time, throws what the rows and the log say instead. */
  async waitFor<T>(what: string, look: () => T | undefined | false, timeoutMs = 90_000): Promise<T> {
    try {
      return await until(what, look as () => T | undefined, { timeoutMs, everyMs: 20 });
    } catch (error) {
      const lately = this.records.slice(-30).map(({ time, entry }) => `${time.slice(11, 23)} ${entry}`);
      const now = ['rows:', ...this.words, 'problem:', this.problem, 'log:', ...lately].join('\n  ');
      throw new Error(`${(error as Error).message}\n${now}`, { cause: error });
    }
  }

  waitForRow(what: string, isSo: (row: Row) => boolean, timeoutMs?: number): Promise<Row> {
    return this.waitFor(what, () => this.rows.find(isSo), timeoutMs);
  }

  /** Waits until every source is connected and has its list. */
  async untilWatching(timeoutMs?: number): Promise<void> {
    await this.waitFor('the watch', () => this.isWatching, timeoutMs);
  }
}

/** A product that has its first list. */
export async function startProduct(cluster: Cluster, options?: ProductOptions): Promise<Product> {
  const product = new Product(cluster, options);
  try {
    await product.untilWatching();
    return product;
  } catch (error) {
    product.dispose();
    throw error;
  }
}
