import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { freePort } from '../../../src/lib/freePort.ts';
import { controlOf, type SkaffoldControl } from '../../../src/skaffold/control.ts';
import { failure } from '../../support/failure.ts';
import { startSkaffoldServer } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';
import { launched, withoutScript } from './launched.ts';

const none = { build: false, sync: false, deploy: false, devloop: false };

suite('control of Skaffold', { skip: withoutScript }, () => {
  const commands: {
    name: string;
    give: (control: SkaffoldControl) => Promise<string>;
    call: string;
    request: unknown;
  }[] = [
    { name: 'build', give: c => c.build(), call: 'execute', request: { ...none, build: true } },
    { name: 'sync', give: c => c.sync(), call: 'execute', request: { ...none, sync: true } },
    { name: 'deploy', give: c => c.deploy(), call: 'execute', request: { ...none, deploy: true } },
    {
      name: 'devloop, in the words of each version',
      give: c => c.devloop(),
      call: 'execute',
      request: { build: true, sync: true, deploy: true, devloop: true },
    },
    { name: 'auto build', give: c => c.autoBuild(true), call: 'auto build', request: true },
    { name: 'auto sync', give: c => c.autoSync(true), call: 'auto sync', request: true },
    { name: 'auto deploy', give: c => c.autoDeploy(true), call: 'auto deploy', request: true },
  ];
  test('each command arrives once and is done', async t => {
    const { skaffold, script } = await launched(t);
    const control = controlOf(skaffold.port);
    for (const { name, give } of commands) assert.equal(await give(control), 'done', name);
    const calls = script.happenings('call').map(({ name, request }) => ({ name, request }));
    assert.deepEqual(
      calls,
      commands.map(({ call, request }) => ({ name: call, request })),
    );
  });

  test('what runs by itself is switched, and told', async t => {
    const { skaffold } = await launched(t);
    const control = controlOf(skaffold.port);
    assert.deepEqual(await control.autoState(), { build: false, sync: false, deploy: false });
    assert.equal(await control.autoSync(true), 'done');
    assert.equal(await control.autoSync(true), 'already');
    assert.deepEqual(await control.autoState(), { build: false, sync: true, deploy: false });
    assert.equal(await control.autoSync(false), 'done');
    assert.deepEqual(await control.autoState(), { build: false, sync: false, deploy: false });
  });

  test('a devloop is played', async t => {
    const { skaffold, script } = await launched(t);
    await controlOf(skaffold.port).devloop();
    await eventually('two deployments', () => script.happenings('deployed').length === 2 || undefined);
  });

  test('a Skaffold that is locked up', async t => {
    const { skaffold, script } = await launched(t, { faults: { afterDeploy: 'deadlock' } });
    await eventually('a deployment', () => script.happenings('deployed').length > 0 || undefined);
    await assert.rejects(controlOf(skaffold.port).build(), failure('skaffold-deaf', /4 DEADLINE_EXCEEDED/));
  });
});

test('control where there is no Skaffold', async () => {
  const port = await freePort();
  for (const give of [(c: SkaffoldControl) => c.build(), (c: SkaffoldControl) => c.autoState()])
    await assert.rejects(give(controlOf(port)), new RegExp(`No Skaffold answers at port ${port}`));
});

test('control of a Skaffold that does not know the call', async t => {
  const server = await startSkaffoldServer();
  t.after(() => server.kill());
  await assert.rejects(controlOf(server.port).autoBuild(true), failure('skaffold-too-old', /12 UNIMPLEMENTED/));
});

test('control of a Skaffold that refuses', async t => {
  const refuse = { code: status.INTERNAL, details: 'not now' };
  const server = await startSkaffoldServer({ v1Calls: { execute: (_, answer) => answer(refuse) } });
  t.after(() => server.kill());
  await assert.rejects(controlOf(server.port).deploy(), failure('skaffold-refused', /13 INTERNAL: not now/));
});
