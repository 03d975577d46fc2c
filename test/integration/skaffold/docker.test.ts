import assert from 'node:assert/strict';
import test from 'node:test';
import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import { Application } from '../../../src/core/application.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { recipes } from '../../../src/debuggers/recipes.ts';
import { sourcePaths } from '../../../src/debuggers/sourcePaths.ts';
import { followSkaffold } from '../../../src/skaffold/follow.ts';
import { Debuggers } from '../../contract/debuggers.ts';
import { start } from '../../support/program.ts';
import { startSkaffoldServer, v1Entry } from '../../support/skaffoldServer.ts';
import { noFollow } from '../../support/noFollow.ts';
import { eventually } from '../demo/support.ts';

const noFiles = { folders: [], exists: async () => false, list: async () => [], read: async () => undefined };
const image = 'shop-web:latest';

test('what Skaffold runs in Docker is a row of its own kind, attached at its published port; the program goes on', async t => {
  const program = start(
    t,
    process.execPath,
    ['--inspect=127.0.0.1:0', '-e', `setInterval(() => console.log('alive'), 50)`],
    { env: { ...process.env, HOSTNAME: 'in-docker' } },
  );
  const published = Number((await program.until(/ws:\/\/127\.0\.0\.1:(\d+)/))[1]);
  const server = await startSkaffoldServer();
  const forwards = openForwards({ accessOf: () => assert.fail('there is no cluster to ask') });
  const sessions = new Debuggers(t);
  const parts = { forwards, recipes, sessions, paths: sourcePaths(noFiles), configurationOf, follow: noFollow };
  const app = new Application(() => new Date(), parts);
  app.watch(
    'skaffold',
    followSkaffold({ port: server.port, stop: new AbortController().signal, drainMs: 100, patienceMs: 30_000 }),
  );
  t.after(() => {
    app.dispose();
    forwards.dispose();
    server.kill();
  });
  const row = (what: string, isSo: (state: string) => boolean) =>
    eventually(what, () => rowsOf(app.store.state).find(({ state }) => isSo(state)));

  // As its Docker deployer tells them (skaffold: pkg/skaffold/docker/debugger, pkg/skaffold/deploy/docker/port).
  const nobody = { podName: '', namespace: '' };
  const debug = { artifact: 'shop-web', runtime: 'nodejs', workingDir: '/app', debugPorts: { devtools: 9229 } };
  server.v1(v1Entry(1, { debuggingContainerEvent: { ...nobody, ...debug, status: 'Started', containerName: image } }));
  const waiting = await row('the row', () => true);
  assert.equal(waiting.isAttachable, false);
  const port = { localPort: published, remotePort: 9229, address: '127.0.0.1', portName: '' };
  const target = { targetPort: { type: 0, intVal: 9229, strVal: '' }, resourceType: 'container', resourceName: '' };
  server.v1(v1Entry(2, { portEvent: { ...nobody, ...port, ...target, containerName: 'shop-web' } }));

  const { container } = await row('a row that can be attached to', state => state === 'ready');
  assert.deepEqual(
    { kind: container.workload.kind, artifact: container.detection.artifact, direct: container.direct },
    { kind: 'Docker', artifact: 'shop-web', direct: { host: '127.0.0.1', port: published } },
  );
  await app.attach.attach(container.slot);
  const { session } = await row('the session', state => state === 'attached');
  assert.equal(sessions.saidIn(session?.id), 'in-docker');
  await app.attach.detach(container.slot);
  await row('the end of the session', state => state === 'ready');
  const before = program.output.length;
  await eventually('it to go on', () => program.output.length > before || undefined);

  server.v1(
    v1Entry(3, { debuggingContainerEvent: { ...nobody, ...debug, status: 'Terminated', containerName: image } }),
  );
  await eventually('the row to go', () => rowsOf(app.store.state).length === 0 || undefined);
});
