import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { freePort } from '../../../src/lib/freePort.ts';
import { startSkaffold } from '../../../src/skaffold/process/startSkaffold.ts';
import { failure } from '../../support/failure.ts';
import { listen } from '../../support/listeners.ts';
import { eventually, isAlive } from '../demo/support.ts';
import { guard, launched, project, withoutScript } from './launched.ts';

const never = new AbortController().signal;

suite('a launch of Skaffold', { skip: withoutScript }, () => {
  test('says what the launch says, in the folder of its file', async t => {
    const wishes = {
      ...{ modules: ['api', 'web'], profiles: ['dev', '-slow'], args: ['--tail=false', '-v', 'info'] },
      ...{
        namespace: 'shop',
        kubeContext: 'kind',
        kubeconfig: '/k',
        portForward: ['user', 'services'],
        cleanUp: false,
      },
    };
    const { script, skaffold, folder } = await launched(t, {}, wishes);
    const [start] = script.happenings('start');
    assert.equal(start!.cwd, await realpath(folder));
    assert.equal(start!.pid, skaffold.pid);
    assert.deepEqual(start!.args, [
      ...[`--filename=${join(folder, 'skaffold.yaml')}`, `--rpc-port=${skaffold.port}`],
      ...['--module=api', '--module=web', '--profile=dev', '--profile=-slow'],
      ...['--namespace=shop', '--kube-context=kind', '--kubeconfig=/k'],
      ...['--port-forward=user,services', '--cleanup=false', '--tail=false', '-v', 'info'],
    ]);
  });

  test('listens when the start is over', async t => {
    const { script, skaffold } = await launched(t, { faults: { slowStartMs: 500 } });
    assert.deepEqual(script.happenings('listening'), [{ kind: 'listening', port: skaffold.port }]);
  });

  test('is over after a while, also when it does not listen yet', async t => {
    const { script, skaffold } = await launched(t, { faults: { slowStartMs: 60_000 } }, {}, { patienceMs: 300 });
    assert.ok(await isAlive(skaffold.pid));
    assert.deepEqual(script.happenings('listening'), []);
  });

  test('has our environment, without what would override the launch', async t => {
    const set = { SKAFFOLD_PROFILE: 'other', SKAFFOLD_RPC_PORT: '1', SKAFFOLD_DEFAULT_REPO: 'repo', OURS: 'kept' };
    Object.assign(process.env, set, { SKAFFOLD_NAMESPACE: 'other' });
    t.after(() => [...Object.keys(set), 'SKAFFOLD_NAMESPACE'].forEach(name => delete process.env[name]));
    const { script } = await launched(t, {}, { env: { SKAFFOLD_NAMESPACE: 'own', TOOL: 'x' } });
    const { env } = script.happenings('start')[0]!;
    const names = [...Object.keys(set), 'SKAFFOLD_NAMESPACE', 'SKAFFOLD_INTERACTIVE', 'SKAFFOLD_UPDATE_CHECK', 'TOOL'];
    assert.deepEqual(Object.fromEntries(names.flatMap(name => (env[name] ? [[name, env[name]]] : []))), {
      ...{ SKAFFOLD_DEFAULT_REPO: 'repo', OURS: 'kept', SKAFFOLD_NAMESPACE: 'own', TOOL: 'x' },
      ...{ SKAFFOLD_INTERACTIVE: 'false', SKAFFOLD_UPDATE_CHECK: 'false' },
    });
  });

  test('is found on the PATH of the launch', async t => {
    const { script, launch, folder } = project(t);
    const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
    const named = { ...launch, binary: 'skaffold', env: { ...launch.env, PATH } };
    const skaffold = await startSkaffold(named, never, { guard });
    skaffold.kill();
    await skaffold.ended;
    assert.equal(script.happenings('start').length, 1);
  });

  test('gives all output to the first listener, both kinds, also of what ended at once', async t => {
    const says = [
      { stream: 'stderr', text: 'žluť\n' },
      { stream: 'stdout', text: 'x'.repeat(500_000) },
    ] as const;
    const faults = { failingBuild: { artifact: 'web', message: 'no such file', suggestions: ['look'] } };
    const artifacts = [{ name: 'web', context: '.' }];
    const { skaffold, printed } = await launched(t, { says, faults, artifacts });
    assert.deepEqual(await skaffold.ended, { code: 1, signal: null });
    assert.match(printed(), /žluť\n/);
    assert.match(printed(), /x{500000}/);
    assert.match(printed(), /build failed: no such file\n/);
  });

  test('takes another port when its own is taken meanwhile', async t => {
    const { script, skaffold, printed } = await launched(t, { faults: { busyPort: true } });
    const starts = script.happenings('start').map(({ args }) => args[1]);
    assert.equal(starts.length, 2);
    assert.notEqual(starts[0], starts[1]);
    assert.equal(starts[1], `--rpc-port=${skaffold.port}`);
    const busy = /bind: address already in use\nPort \d+ was taken meanwhile\. Skaffold is started with another\.\n/;
    assert.match(printed(), busy);
  });

  test('does not take a stranger at its port for itself', { skip: process.platform !== 'linux' }, async t => {
    const strangers = await listen(t, () => undefined);
    const ports = [strangers, await freePort()];
    const pickPort = async () => ports.shift()!;
    const { script, skaffold } = await launched(t, { faults: { slowStartMs: 300 } }, {}, { pickPort });
    assert.notEqual(skaffold.port, strangers);
    assert.equal(script.happenings('start').length, 2);
    assert.deepEqual(script.happenings('listening'), [{ kind: 'listening', port: skaffold.port }]);
  });

  test('ends when its port is always taken', async t => {
    const strangers = await listen(t, () => undefined);
    const { script, skaffold } = await launched(t, {}, {}, { pickPort: async () => strangers });
    assert.deepEqual(await skaffold.ended, { code: 1, signal: null });
    assert.equal(script.happenings('start').length, 4);
  });

  test('hears to which port an old Skaffold has moved', async t => {
    const strangers = await listen(t, () => undefined);
    const faults = { movesPort: true };
    const { script, skaffold } = await launched(t, { faults }, {}, { pickPort: async () => strangers });
    await eventually('a port of its own', () => script.happenings('listening').length > 0 || undefined);
    assert.deepEqual(script.happenings('listening'), [{ kind: 'listening', port: skaffold.port }]);
    assert.equal(script.happenings('start').length, 1);
  });

  test('that is given up before it listens ends', async t => {
    const { script, launch } = project(t, { faults: { slowStartMs: 60_000 } });
    const wish = new AbortController();
    const limits = { cleanUpMs: 100, terminateMs: 100 };
    const start = startSkaffold(launch, wish.signal, { guard, limits });
    const [begun] = await eventually('a start', () => {
      const starts = script.happenings('start');
      return starts.length > 0 ? starts : undefined;
    });
    wish.abort(new Error('no more'));
    await assert.rejects(start, /no more/);
    await eventually('its end', async () => !(await isAlive(begun!.pid)) || undefined);
  });

  const unusable = [
    { name: 'is not there', program: undefined, cause: /ENOENT/ },
    { name: 'is a folder of a file', program: undefined, binary: 'skaffold.yaml/skaffold', cause: /ENOTDIR/ },
    { name: 'is no program', program: 'no program', cause: /EACCES/ },
  ];
  for (const { name, program, cause, binary: path = 'broken' } of unusable)
    test(`with a binary that ${name} says so`, async t => {
      const { launch, folder } = project(t);
      const binary = join(folder, path);
      if (program) writeFileSync(binary, program);
      if (program) chmodSync(binary, 0o644);
      await assert.rejects(
        startSkaffold({ ...launch, binary }, never, { guard }),
        failure('skaffold-not-started', cause),
      );
    });
});
