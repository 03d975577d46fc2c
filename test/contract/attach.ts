import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { detect } from '../../src/cluster/detect/detect.ts';
import { openForwards } from '../../src/cluster/forward/openForwards.ts';
import type { PodScope } from '../../src/cluster/watch/options.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import { Application } from '../../src/core/application.ts';
import { stepLimitsMs } from '../../src/core/attach.ts';
import type { PodRef } from '../../src/core/contracts.ts';
import type { Step } from '../../src/core/errors.ts';
import type { SlotId } from '../../src/core/identity.ts';
import { type Row, rowAt, rowsOf } from '../../src/core/selectors.ts';
import { configurationOf } from '../../src/debuggers/configuration.ts';
import { recipes } from '../../src/debuggers/recipes.ts';
import { sourcePaths } from '../../src/debuggers/sourcePaths.ts';
import { eventually } from '../integration/demo/support.ts';
import { failure } from '../support/failure.ts';
import { type ContractCluster, logIn, type LoginName, podOf } from './cluster.ts';
import { Debuggers } from './debuggers.ts';

const limit = { timeout: 120_000 };

/** No folder is open; where the sources are does not matter here. */
const noFiles = {
  folders: [],
  exists: async () => false,
  list: async () => [],
  read: async () => undefined,
};

/** The product without VS Code: its own watch, rows, forward and recipes, and debuggers that are no more than clients. */
class Workbench {
  readonly debuggers: Debuggers;
  private readonly application: Application;

  static async open(t: TestContext, cluster: ContractCluster, as: LoginName, scope: PodScope): Promise<Workbench> {
    const { access, api } = await logIn(cluster, as);
    const forwards = openForwards({ accessOf: () => access });
    const debuggers = new Debuggers(t);
    const application = new Application(() => new Date(), {
      forwards,
      recipes,
      sessions: debuggers,
      paths: sourcePaths(noFiles),
      configurationOf,
      follow: { ruleFor: () => 'always', ask: async () => false },
      limitsMs: { ...stepLimitsMs, listener: 6_000 },
    });
    application.watch('pods', podSource({ api, scope, detect, source: 'pods' }));
    t.after(() => {
      application.dispose();
      forwards.dispose();
    });
    return new Workbench(application, debuggers);
  }

  private constructor(application: Application, debuggers: Debuggers) {
    this.application = application;
    this.debuggers = debuggers;
  }

  /** Waits until the container's row is as `isSo` wants it. */
  until(what: string, { podUid }: PodRef, name: string, isSo: (row: Row) => boolean): Promise<Row> {
    return eventually(`${what} on the row of ${name}`, () =>
      rowsOf(this.application.store.state).find(
        row => row.container.podUid === podUid && row.container.container === name && isSo(row),
      ),
    );
  }

  ready(pod: PodRef, name: string): Promise<Row> {
    return this.until('"ready"', pod, name, ({ state }) => state === 'ready');
  }

  get firstRow(): Row | undefined {
    return rowsOf(this.application.store.state)[0];
  }

  rowAt(slot: SlotId): Row {
    return rowAt(this.application.store.state, slot)!;
  }

  /** Attaches; gives the row with its session, and what the debuggee has said. */
  async attach(slot: SlotId): Promise<{ row: Row; said: string; localPort: number }> {
    await this.application.attach.attach(slot);
    const row = this.rowAt(slot);
    assert.equal(row.state, 'attached');
    return { row, said: this.debuggers.saidIn(row.session?.id)!, localPort: row.session!.localPort };
  }

  /** Detaches; what ran before goes on, and can be attached to. */
  async detach({ container }: Row): Promise<void> {
    await this.application.attach.detach(container.slot);
    const row = this.rowAt(container.slot);
    assert.deepEqual(
      [row.state, row.container.id, row.container.restarts],
      ['ready', container.id, container.restarts],
    );
  }

  /** An attach that fails: the row says where, why, and what to do. */
  async fails(slot: SlotId, step: Step, isSo: (error: unknown) => boolean): Promise<void> {
    const attached = this.application.attach.attach(slot);
    await assert.rejects(attached, error => {
      const shown = this.rowAt(slot).failure;
      assert.equal(shown?.step, step);
      assert.ok(shown.remedy);
      assert.deepEqual(
        [shown.message, shown.remedy],
        [(error as Error).message, (error as { remedy?: string }).remedy],
      );
      return isSo(error);
    });
  }
}

const closed = (localPort: number) =>
  assert.rejects(fetch(`http://127.0.0.1:${localPort}/`, { signal: AbortSignal.timeout(20_000) }), (error: Error) => {
    assert.match(String((error.cause as { code?: string }).code), /ECONNREFUSED/);
    return true;
  });

/** The way from a row to a debugger that talks to the program, and back. */
export function attachContract(cluster: () => ContractCluster): void {
  test('attach: twice on one local port with the least rights; the program goes on', limit, async t => {
    const { web } = cluster().workloads;
    const pod = await podOf(await logIn(cluster(), 'developer'), web);
    const bench = await Workbench.open(t, cluster(), 'developer', { namespace: web.namespace });
    const { container } = await bench.ready(pod, web.containers[0]!);
    const first = await bench.attach(container.slot);
    assert.equal(first.said, pod.pod);
    await bench.detach(first.row);
    await closed(first.localPort);
    const second = await bench.attach(container.slot);
    assert.deepEqual([second.said, second.localPort], [pod.pod, first.localPort]);
    await bench.detach(second.row);
  });

  test('attach: to a container that is known by its flags, and to one of two', limit, async t => {
    const { flags, pair } = cluster().workloads;
    const login = await logIn(cluster(), 'admin');
    const bench = await Workbench.open(t, cluster(), 'admin', {});
    for (const workload of [flags, pair]) {
      const pod = await podOf(login, workload);
      const [name, other] = workload.containers;
      const { container } = await bench.ready(pod, name!);
      if (other) await bench.ready(pod, other);
      const { row, said } = await bench.attach(container.slot);
      assert.equal(said, pod.pod);
      if (other) await bench.ready(pod, other);
      await bench.detach(row);
    }
  });

  test('attach: a JVM, which takes one debugger, has that one and the next', limit, async t => {
    const { jvm } = cluster().workloads;
    if (!jvm) return t.skip('no JDK on PATH');
    const pod = await podOf(await logIn(cluster(), 'developer'), jvm);
    const bench = await Workbench.open(t, cluster(), 'developer', { namespace: jvm.namespace });
    const { container } = await bench.ready(pod, jvm.containers[0]!);
    const first = await bench.attach(container.slot);
    assert.match(first.said, /Java Debug Wire Protocol/);
    await bench.detach(first.row);
    const second = await bench.attach(container.slot);
    assert.match(second.said, /Java Debug Wire Protocol/);
    assert.equal(second.localPort, first.localPort);
    await bench.detach(second.row);
    assert.equal(bench.rowAt(container.slot).container.restarts, 0);
  });

  test(
    'follow: a debugger goes on with the pod that takes the place of its own, on the same local port',
    limit,
    async t => {
      const { web } = cluster().workloads;
      const login = await logIn(cluster(), 'developer');
      const pod = await podOf(login, web);
      const bench = await Workbench.open(t, cluster(), 'developer', { namespace: web.namespace });
      const { container } = await bench.ready(pod, web.containers[0]!);
      const before = await bench.attach(container.slot);
      await cluster().deletePod(pod);
      const next = await podOf(login, web, pod);
      const after = await bench.until('the debugger', next, web.containers[0]!, ({ state }) => state === 'attached');
      assert.deepEqual(
        [bench.debuggers.saidIn(after.session?.id), after.session?.localPort, after.session?.name],
        [next.pod, before.localPort, before.row.session?.name],
      );
      await bench.detach(after);
    },
  );

  test('attach: without the right to forward', limit, async t => {
    const { web } = cluster().workloads;
    const pod = await podOf(await logIn(cluster(), 'viewer'), web);
    const bench = await Workbench.open(t, cluster(), 'viewer', { namespace: web.namespace });
    const { container } = await bench.ready(pod, web.containers[0]!);
    await bench.fails(container.slot, 'forward', failure('forward-forbidden', /pods\/portforward/, /create/));
  });

  test('attach: to a port where nobody listens', limit, async t => {
    const { silent } = cluster().workloads;
    const pod = await podOf(await logIn(cluster(), 'developer'), silent);
    const bench = await Workbench.open(t, cluster(), 'developer', { namespace: silent.namespace });
    const { container } = await bench.ready(pod, silent.containers[0]!);
    await bench.fails(container.slot, 'listener', failure('not-listening', /refused/i, /Debugger listening on/));
  });

  test('attach: to a container that does not run', limit, async t => {
    const { crash } = cluster().workloads;
    const bench = await Workbench.open(t, cluster(), 'admin', {
      namespace: crash.namespace,
      labelSelector: `app=${crash.app}`,
    });
    await eventually('the time between two runs', async () => {
      const row = bench.firstRow;
      if (!row || row.state === 'ready') return undefined;
      await bench.fails(row.container.slot, 'debugger', failure('container-not-ready', /./, /ready/));
      return true;
    });
  });
}
