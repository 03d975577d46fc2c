import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type Found, findSkaffolds } from '../../../src/skaffold/discovery/findSkaffolds.ts';
import { watchSkaffolds } from '../../../src/skaffold/discovery/watchSkaffolds.ts';
import { skipWithoutProc } from '../../support/linuxProcesses.ts';
import { start } from '../../support/program.ts';
import { eventually } from '../demo/support.ts';
import { launched, project } from './launched.ts';

/** Others may run on this machine. */
const foundAs = async (pid: number): Promise<Found | undefined> =>
  (await findSkaffolds()).find(found => found.pid === pid);

suite('discovery of running Skaffolds', { skip: skipWithoutProc }, () => {
  test('finds one with all that its command line says', async t => {
    const wishes = { modules: ['api'], profiles: ['dev', '-slow'], namespace: 'shop', kubeContext: 'kind' };
    const { skaffold, folder } = await launched(t, {}, wishes);
    const { pid, port } = skaffold;
    assert.deepEqual(await foundAs(pid), {
      ...{ pid, port, folder: await realpath(folder), file: join(folder, 'skaffold.yaml') },
      ...wishes,
    });
  });

  const ports: { name: string; args: string[]; env?: Record<string, string> }[] = [
    { name: 'any free port', args: ['--rpc-port=0'] },
    { name: 'no option but a variable', args: [], env: { SKAFFOLD_RPC_PORT: '0' } },
  ];
  for (const { name, args, env } of ports)
    test(`finds the port of one with ${name}`, async t => {
      const { launch, script, folder } = project(t);
      const options = { cwd: folder, env: { ...process.env, ...launch.env, ...env } };
      const program = start(t, script.binary, ['debug', '-f', 'own.yaml', ...args], options);
      const [listening] = await eventually('a port', () => {
        const all = script.happenings('listening');
        return all.length > 0 ? all : undefined;
      });
      const found = await foundAs(program.process.pid!);
      assert.equal(found?.port, listening!.port);
      assert.equal(found.file, join(await realpath(folder), 'own.yaml'));
    });

  test('tells when one comes and goes', async t => {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const seen: string[] = [];
    const watch = (async () => {
      for await (const { appeared, gone } of watchSkaffolds({ signal: stop.signal, everyMs: 50 }))
        seen.push(...appeared.map(({ port }) => `+${port}`), ...gone.map(({ port }) => `-${port}`));
    })();
    const { skaffold } = await launched(t);
    await eventually('its coming', () => seen.includes(`+${skaffold.port}`) || undefined);
    skaffold.interrupt();
    await eventually('its going', () => seen.includes(`-${skaffold.port}`) || undefined);
    stop.abort();
    await watch;
  });
});
