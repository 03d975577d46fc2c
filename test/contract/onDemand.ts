import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { detect } from '../../src/cluster/detect/detect.ts';
import { OpenedInspectors } from '../../src/cluster/detect/opened.ts';
import { ClusterExec } from '../../src/cluster/exec/clusterExec.ts';
import { openForwards } from '../../src/cluster/forward/openForwards.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import { runningContainers } from '../../src/cluster/watch/runningContainers.ts';
import { Application } from '../../src/core/application.ts';
import type { Container } from '../../src/core/model.ts';
import { rowAt } from '../../src/core/selectors.ts';
import { configurationOf } from '../../src/debuggers/configuration.ts';
import { openInspector } from '../../src/debuggers/onDemand/openInspector.ts';
import { processText } from '../../src/debuggers/onDemand/programs.ts';
import { recipes } from '../../src/debuggers/recipes.ts';
import { eventually } from '../integration/demo/support.ts';
import { failure } from '../support/failure.ts';
import { InspectorClient } from '../support/inspectorClient.ts';
import { type ContractCluster, logIn, type LoginName, podOf } from './cluster.ts';
import { Debuggers } from './debuggers.ts';

const limit = { timeout: 120_000 };

/** What `plain` runs, without an inspector. */
export const PLAIN_PROGRAM = `globalThis.beats = 0;
function beat() {
  globalThis.beats += 1;
}
setInterval(beat, 50);`;

/** Node programs that run without an inspector: it is opened in them, over exec and a signal, and they are attached to. */
export function onDemandContract(cluster: () => ContractCluster): void {
  async function plain(as: LoginName) {
    const { access, api } = await logIn(cluster(), as);
    const { podUid } = await podOf(await logIn(cluster(), 'admin'), cluster().workloads.plain);
    const running = await runningContainers(api, ['shop'], AbortSignal.timeout(30_000));
    const container = running.find(one => one.podUid === podUid)!;
    const pick = async () => assert.fail('asked although there is one program');
    const open = () =>
      openInspector({
        exec: new ClusterExec({ accessOf: () => access }),
        at: container,
        pick,
        signal: AbortSignal.timeout(60_000),
      });
    return { access, api, container, open };
  }

  test('on demand: without the right to run programs nothing is done, and the refusal is quoted', limit, async () => {
    const { open } = await plain('developer');
    await assert.rejects(open(), failure('exec-forbidden', /cannot create resource "pods\/exec"/));
  });

  test(
    'on demand: a program without an inspector is attached to, stops at a breakpoint and goes on',
    limit,
    async t => {
      const { access, api, container, open } = await plain('admin');
      const found = await open();
      assert.equal(found?.wasOpen, false);
      const inspectors = new OpenedInspectors();
      const { podUid, pod, container: name, containerId = '' } = container;
      inspectors.add({
        podUid,
        pod,
        container: name,
        containerId,
        port: found.port,
        program: processText(found.process),
      });
      const forwards = openForwards({ accessOf: () => access });
      const application = new Application(() => new Date(), {
        forwards,
        recipes,
        sessions: new Debuggers(t),
        paths: { mapFor: async () => ({ sources: [] }) },
        configurationOf,
        follow: { ruleFor: () => 'always', ask: async () => false },
      });
      t.after(() => {
        application.dispose();
        forwards.dispose();
      });
      const options = { api, detect: inspectors.detectWith(detect), words: inspectors.words };
      application.watch('pods', podSource({ ...options, scope: { namespace: 'shop' }, source: 'pods' }));
      const { store, attach } = application;
      const rowNow = () => rowAt(store.state, container.slot);
      const { container: listed } = await eventually('the row', () =>
        rowNow()?.state === 'ready' ? rowNow() : undefined,
      );
      assert.equal(listed.detection.evidence, 'on-demand');
      await attach.attach(container.slot);
      const { localPort } = rowNow()!.session!;
      await stopsAndGoesOn(t, localPort);
      await attach.detach(container.slot);
      await eventually('the end of the session', () => rowNow()?.session === undefined || undefined);
      const again = await open();
      assert.deepEqual([again?.wasOpen, again?.process.pid], [true, found.process.pid]);
      assert.equal(await restartsOf(container), container.restarts);
    },
  );

  async function restartsOf({ slot }: Container): Promise<number | undefined> {
    const { api } = await logIn(cluster(), 'admin');
    const running = await runningContainers(api, ['shop'], AbortSignal.timeout(30_000));
    return running.find(one => one.slot === slot)?.restarts;
  }
}

async function stopsAndGoesOn(t: TestContext, port: number): Promise<void> {
  const client = await InspectorClient.open('127.0.0.1', port, t.signal);
  t.after(() => client.close());
  const paused = new Promise<void>(resolve => {
    client.onPause = isPaused => isPaused && resolve();
  });
  const breakpointId = await client.breakAt('[eval]', 'globalThis.beats += 1');
  await paused;
  await client.ask('Debugger.removeBreakpoint', { breakpointId });
  await client.ask('Debugger.resume'); // the session's own debugger would keep it stopped
  client.close();
  await client.closed;
  const again = await InspectorClient.open('127.0.0.1', port, t.signal);
  t.after(() => again.close());
  const beats = async () => {
    const { result } = (await again.ask('Runtime.evaluate', { expression: 'beats' })) as { result: { value: number } };
    return result.value;
  };
  const before = await beats();
  await eventually('the program to go on', async () => (await beats()) > before || undefined);
  again.close();
}
