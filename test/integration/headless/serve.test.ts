// The service as a script meets it: a process of its own, a real demo cluster behind it, real clients.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before, type TestContext } from 'node:test';
import { inRoot } from '../../../.ci/lib/paths.ts';
import type { Demo } from '../../../src/demo/demo.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { freePort } from '../../../src/lib/freePort.ts';
import { start } from '../../support/program.ts';
import { debugging, startSkaffoldServer, v1Entry } from '../../support/skaffoldServer.ts';
import { demoFor, eventually } from '../demo/support.ts';
import { entriesOf, readGrpc, readHttp } from '../service/support.ts';

let demo: Demo;
const ends: (() => Promise<void> | void)[] = [];
before(async () => {
  demo = await demoFor(end => ends.push(end), { workloads: WORKLOADS.filter(({ name }) => name === 'web') });
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** The command with its ports, once it listens. */
async function serve(t: TestContext, ...args: string[]) {
  const program = start(t, process.execPath, [inRoot('src/headless/main.ts'), 'serve', ...args]);
  const code = new Promise<number | null>(resolve => program.process.once('close', resolve));
  const [, grpc, http] = await program.until(/\{"grpc":(\d+),"http":(\d+)\}/);
  return { program, code, grpc: Number(grpc), http: Number(http) };
}

test('a script reads the containers of a cluster; SIGINT ends its stream well', async t => {
  const { program, code, grpc, http } = await serve(t, '--kubeconfig', demo.kubeconfigFile);
  const readers = [await readHttp(http), readGrpc(grpc)];
  const isStart = (entry: string) => /^Debuggable container started pod\/web-\S+:web \(shop\)$/.test(entry);
  for (const reader of readers) await eventually('a start', () => entriesOf(reader).some(isStart) || undefined);
  const state = (await (await fetch(`http://127.0.0.1:${http}/v1/state`)).json()) as {
    debuggingContainers: { containerName: string; runtime: string; debugPorts: object }[];
  };
  const [web] = state.debuggingContainers;
  assert.deepEqual(
    { name: web?.containerName, runtime: web?.runtime, ports: web?.debugPorts },
    { name: 'web', runtime: 'nodejs', ports: { devtools: 9229 } },
  );
  program.process.kill('SIGINT');
  assert.equal(await code, 0, program.output);
  const [overHttp, overGrpc] = readers as [Awaited<ReturnType<typeof readHttp>>, ReturnType<typeof readGrpc>];
  assert.equal(await overHttp.ended, 'complete');
  assert.equal((await overGrpc.ended).code, 0);
  assert.deepEqual(entriesOf(overHttp), entriesOf(overGrpc));
});

test('with Skaffold, and without a cluster: its events come through to the last one', async t => {
  const skaffold = await startSkaffoldServer();
  t.after(() => skaffold.kill());
  const none = join(import.meta.dirname, 'there-is-none');
  const { program, code, grpc } = await serve(t, '--skaffold', String(skaffold.port), '--kubeconfig', none);
  await program.until(/Only Skaffold is served: /);
  skaffold.v1(v1Entry(1, debugging('web-1', 'Started'), 'web is here'));
  const reader = readGrpc(grpc);
  await eventually('the start', () => entriesOf(reader).includes('web is here') || undefined);
  skaffold.v1(v1Entry(2, debugging('web-1', 'Terminated'), 'web has gone'));
  skaffold.endStreams();
  await eventually('the end', () => entriesOf(reader).includes('web has gone') || undefined);
  skaffold.kill();
  assert.equal(await code, 0, program.output);
  assert.equal((await reader.ended).code, 0);
  assert.match(entriesOf(reader).at(-1)!, /^Stopped reading skaffold:/);
});

test('the ports are those that were asked for; a second one at the same port says why it ends', async t => {
  const [grpcPort, httpPort] = [await freePort(), await freePort()];
  const ports = ['--grpc-port', String(grpcPort), '--http-port', String(httpPort)];
  const { grpc, http } = await serve(t, '--kubeconfig', demo.kubeconfigFile, ...ports);
  assert.deepEqual([grpc, http], [grpcPort, httpPort]);
  const args = [inRoot('src/headless/main.ts'), 'serve', '--kubeconfig', demo.kubeconfigFile, ...ports];
  const second = start(t, process.execPath, args);
  const code = await new Promise(resolve => second.process.once('close', resolve));
  assert.equal(code, 1);
  assert.match(second.output, new RegExp(`^The event service cannot listen at port ${grpcPort}\\. .*EADDRINUSE`));
});

test('nothing is left: a Skaffold that is not there', async t => {
  const port = await freePort();
  const none = join(import.meta.dirname, 'there-is-none');
  const { program, code } = await serve(t, '--skaffold', String(port), '--kubeconfig', none);
  assert.equal(await code, 1);
  assert.equal(program.output.match(/No Skaffold answers at port/g)?.length, 1);
});
