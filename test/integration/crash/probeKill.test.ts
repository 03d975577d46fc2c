// A container whose program is paused in a debugger, and which its liveness probe kills: a real process of the demo cluster.
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import test, { before } from 'node:test';
import { detect } from '../../../src/cluster/detect/detect.ts';
import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { ProbeKillReader } from '../../../src/cluster/pods/probeKills.ts';
import { watchScopes } from '../../../src/cluster/watch/scopes.ts';
import { Application } from '../../../src/core/application.ts';
import { explain } from '../../../src/core/explain/explain.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { recipes } from '../../../src/debuggers/recipes.ts';
import type { Demo } from '../../../src/demo/demo.ts';
import type { LivenessProbe } from '../../../src/demo/kubelet/template.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { Debuggers } from '../../contract/debuggers.ts';
import { afterSuite, demoFor, eventually } from '../demo/support.ts';

const whenOver = afterSuite();

/** Asks the program over HTTP, as many do; a paused one does not answer. */
const liveness: LivenessProbe = {
  exec: at => ['node', '-e', `fetch('http://${at(8080)}/ready', { signal: AbortSignal.timeout(3000) })`],
  ...{ periodSeconds: 1, timeoutSeconds: 20, failureThreshold: 2 },
};

let demo: Demo;
before(async () => {
  const api = WORKLOADS.find(({ name }) => name === 'api')!;
  const probed: typeof api = {
    ...api,
    template: directory => {
      const template = api.template(directory);
      return { ...template, containers: template.containers.map(one => ({ ...one, liveness })) };
    },
  };
  demo = await demoFor(whenOver, { workloads: [probed] });
});

/** The product of one login without VS Code, with its debugger attached to the container. */
async function attached(t: test.TestContext, context: string) {
  const config = await loadKubeconfig({ env: {}, home: homedir(), explicitFile: demo.kubeconfigFile });
  const access = accessOf(config, context);
  const api = kubeApi(access);
  const forwards = openForwards({ accessOf: () => access });
  const debuggers = new Debuggers(t);
  const app = new Application(() => new Date(), {
    ...{ forwards, recipes, configurationOf, sessions: debuggers },
    paths: { mapFor: async () => ({ sources: [] }) },
    follow: { ruleFor: () => 'always', ask: async () => false },
  });
  const reader = new ProbeKillReader(app.store, () => api);
  app.watch('pods', watchScopes({ api, detect, namespaces: ['shop'], fallback: [] }));
  t.after(() => {
    reader.dispose();
    app.dispose();
    forwards.dispose();
  });
  const row = () => rowsOf(app.store.state)[0];
  const ready = await eventually('the row', () => (row()?.state === 'ready' ? row() : undefined));
  await app.attach.attach(ready.container.slot);
  const killed = () =>
    eventually('the kill on the row', () => (/last run was killed/.test(row()?.reason ?? '') ? row() : undefined));
  return { app, debuggers, row, killed };
}

test('a paused program that its liveness probe kills is recognised, in the words of the kubelet where they can be read', async t => {
  const admin = await attached(t, 'breakpod-demo');
  const developer = await attached(t, 'breakpod-demo-shop');
  const run = admin.row()!.container.containerId;
  await admin.debuggers.pause(admin.row()!.session!.id);
  for (const { row } of [admin, developer])
    await eventually('"paused" on the row', () => row()?.state === 'paused' || undefined);

  const known = await admin.killed();
  assert.match(known.reason!, /by its liveness probe \(exec\); the kubelet says: Container api failed liveness probe/);
  assert.equal(known.container.last?.containerId, run);
  const likely = await developer.killed();
  assert.match(likely.reason!, /most likely by its liveness probe \(exec\)$/);

  const told = admin.app.log.records.filter(({ entry }) => entry.includes('killed while it was paused'));
  assert.equal(told.length, 1);
  assert.match(told[0]!.entry, /failureThreshold of livenessProbe/);
  const link = explain(admin.app.store.state, known).find(({ name }) => name === 'probes');
  assert.equal(link?.ok, false);
  assert.match(link.detail, /^Its last run was killed/);
  // It has come back, and the debugger with it.
  await eventually('the debugger on the next run', () => admin.row()?.state === 'attached' || undefined);
});
