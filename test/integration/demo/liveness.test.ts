// Liveness probes of the demo cluster: what fails is ended and told as a kubelet does.
import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import type { Demo } from '../../../src/demo/demo.ts';
import type { LivenessProbe } from '../../../src/demo/kubelet/template.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { afterSuite, ask, demoFor, eventually, loginOf } from './support.ts';

const cleanUp = afterSuite();
const often = { periodSeconds: 0.2, timeoutSeconds: 20, failureThreshold: 2 };
const probes: Readonly<Record<string, { liveness: LivenessProbe; says: RegExp | undefined }>> = {
  'fails-exec': {
    liveness: { ...often, exec: () => ['node', '-e', 'console.log("no good"); process.exit(3)'] },
    says: /^Liveness probe failed: no good$/,
  },
  'fails-http': {
    liveness: { ...often, http: { path: '/nothing', port: 9229 } },
    says: /^Liveness probe failed: Get "http/,
  },
  'fails-tcp': { liveness: { ...often, tcp: { port: 9230 } }, says: /connection refused$/ },
  well: { liveness: { ...often, http: { path: '/ready', port: 8080 } }, says: undefined },
};

let demo: Demo;
before(async () => {
  const api = WORKLOADS.find(({ name }) => name === 'api')!;
  demo = await demoFor(cleanUp, { backoff: { firstMs: 2000, mostMs: 4000 } });
  for (const [name, { liveness }] of Object.entries(probes))
    await demo.run({
      ...api,
      name,
      template: directory => {
        const template = api.template(directory);
        const probed = template.containers.map(one => ({ ...one, liveness, undeclaredPorts: [9229, 9230] }));
        return { ...template, labels: { app: name }, containers: probed };
      },
    });
});

const podOf = (name: string) => demo.store.snapshot().find(({ pod }) => pod.metadata.labels?.['app'] === name)?.pod;

for (const [name, { liveness, says }] of Object.entries(probes))
  test(`liveness probe: ${name}`, async () => {
    const login = await loginOf(demo);
    const pod = await eventually('the pod', () => podOf(name));
    const { livenessProbe } = pod.spec.containers[0] as { livenessProbe?: { failureThreshold?: number } };
    assert.equal(livenessProbe?.failureThreshold, liveness.failureThreshold);
    const path = `/api/v1/namespaces/shop/events?fieldSelector=involvedObject.uid%3D${pod.metadata.uid}`;
    const events = async () =>
      (await ask(login, path)).body.items as unknown as readonly { reason: string; message: string; count: number }[];
    const status = () => podOf(name)?.status.containerStatuses?.[0];
    if (!says) {
      await eventually('its start', () => status()?.ready || undefined);
      assert.deepEqual([await events(), status()?.restartCount], [[], 0]);
      return;
    }
    await eventually('a restart', () => (status()?.restartCount ?? 0) > 0 || undefined);
    const told = await events();
    assert.match(told.find(({ reason }) => reason === 'Unhealthy')!.message, says);
    const killing = told.find(({ reason }) => reason === 'Killing')!;
    assert.equal(killing.message, 'Container api failed liveness probe, will be restarted');
  });

test('events: those of others are not in the answer, and a selector that cannot be read is refused', async () => {
  const login = await loginOf(demo);
  const none = await ask(login, '/api/v1/events?fieldSelector=involvedObject.uid%3Dnobody');
  assert.deepEqual([none.body.kind, none.body.items], ['EventList', []]);
  assert.equal((await ask(login, '/api/v1/events?fieldSelector=what')).code, 400);
  const shop = await loginOf(demo, 'breakpod-demo-shop');
  assert.equal((await ask(shop, '/api/v1/namespaces/shop/events')).code, 403);
});
