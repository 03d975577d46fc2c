import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { StopLimits } from '../../../src/skaffold/guard/order.ts';
import { allGone, descendants, isAlive, skipWithoutProc } from '../../support/linuxProcesses.ts';
import { start } from '../../support/program.ts';
import type { ParentOrder } from '../../support/scriptedSkaffold/parent.ts';
import type { Faults, Scenario } from '../../support/scriptedSkaffold/scenario.ts';
import { eventually } from '../demo/support.ts';
import { guard, launched, type Launched, project } from './launched.ts';

const parent = fileURLToPath(new URL('../../support/scriptedSkaffold/parent.ts', import.meta.url));

/** For those that end in time, on any machine; and for those that never do. */
const patient = { cleanUpMs: 60_000, terminateMs: 60_000 };
const hasty = { cleanUpMs: 500, terminateMs: 500 };

type Script = Launched['script'];

const deployed = (script: Script): Promise<unknown> =>
  eventually('a deployment', () => script.happenings('deployed').length > 0 || undefined);

const signals = (script: Script): string[] => script.happenings('signal').map(({ name }) => name);

/** The guard, Skaffold, and the process that this has started, below the one that has launched it. */
async function treeBelow(host: number, script: Script): Promise<readonly number[]> {
  const [child] = await eventually('its process', () => {
    const children = script.happenings('child');
    return children.length > 0 ? children : undefined;
  });
  return [...new Set([...descendants(host), child!.pid])];
}

suite('the end of a Skaffold that was launched', { skip: skipWithoutProc }, () => {
  const ways: {
    name: string;
    faults?: Faults;
    stop: (run: Launched) => void;
    end: { code: number | null; signal: NodeJS.Signals | null };
    signals: string[];
    cleansUp: boolean;
  }[] = [
    {
      name: 'interrupted',
      stop: ({ skaffold }) => skaffold.interrupt(),
      ...{ end: { code: 0, signal: null }, signals: ['SIGINT'], cleansUp: true },
    },
    {
      name: 'interrupted twice, which its clean-up must not hear',
      stop: ({ skaffold }) => [skaffold.interrupt(), skaffold.interrupt()],
      ...{ end: { code: 0, signal: null }, signals: ['SIGINT'], cleansUp: true },
    },
    {
      name: 'interrupted, with a process that does not hear it',
      faults: { child: 'stubborn' },
      stop: ({ skaffold }) => skaffold.interrupt(),
      ...{ end: { code: 0, signal: null }, signals: ['SIGINT'], cleansUp: true },
    },
    {
      name: 'deaf to SIGINT, terminated',
      faults: { ignoresSigint: true },
      stop: ({ skaffold, script }) => {
        skaffold.interrupt();
        void eventually('a signal', () => signals(script).length > 0 || undefined).then(() => skaffold.terminate());
      },
      ...{ end: { code: 0, signal: null }, signals: ['SIGINT', 'SIGTERM'], cleansUp: true },
    },
    {
      name: 'dead-locked, killed',
      faults: { afterDeploy: 'deadlock', child: 'stubborn' },
      stop: ({ skaffold }) => [skaffold.interrupt(), skaffold.terminate(), skaffold.kill()],
      ...{ end: { code: null, signal: 'SIGKILL' }, signals: [], cleansUp: false },
    },
    {
      name: 'crashed',
      faults: { afterDeploy: 'crash', child: 'stubborn' },
      stop: () => undefined,
      ...{ end: { code: 2, signal: null }, signals: [], cleansUp: false },
    },
    {
      name: 'killed by somebody else',
      faults: { afterDeploy: 'killed', child: 'stubborn' },
      stop: () => undefined,
      ...{ end: { code: null, signal: 'SIGKILL' }, signals: [], cleansUp: false },
    },
  ];

  for (const { name, faults, stop, end, signals: heard, cleansUp } of ways)
    test(`${name}: leaves no process`, async t => {
      const run = await launched(t, { faults: { child: 'polite', ...faults } });
      const tree = await treeBelow(process.pid, run.script);
      await deployed(run.script);
      stop(run);
      assert.deepEqual(await run.skaffold.ended, end);
      await allGone(tree);
      assert.deepEqual(signals(run.script), heard);
      assert.equal(run.script.happenings('cleanedUp').length, cleansUp ? 1 : 0);
    });

  test('comes after all of its output', async t => {
    const { skaffold, script, printed } = await launched(t, { onCleanUp: ['seq', '1', '200000'] });
    await deployed(script);
    skaffold.interrupt();
    await skaffold.ended;
    assert.match(printed(), /Cleaning up\.\.\.\n1\n2\n[^]*\n199999\n200000\n$/);
  });

  test('comes also when its guard is killed', async t => {
    const { skaffold, script } = await launched(t, { faults: { child: 'stubborn' } });
    const tree = await treeBelow(process.pid, script);
    process.kill(tree[0]!, 'SIGKILL');
    assert.deepEqual(await skaffold.ended, { code: null, signal: 'SIGKILL' });
    await allGone(tree);
  });

  test('comes when its guard is asked to end, after a clean-up', async t => {
    const { skaffold, script } = await launched(t, { faults: { child: 'polite' } });
    const tree = await treeBelow(process.pid, script);
    await deployed(script);
    process.kill(tree[0]!, 'SIGTERM');
    assert.deepEqual(await skaffold.ended, { code: 0, signal: null });
    await allGone(tree);
    assert.equal(script.happenings('cleanedUp').length, 1);
  });
});

suite('a Skaffold whose extension host ends', { skip: skipWithoutProc }, () => {
  /** A program that has started a Skaffold, and the processes of that. */
  async function host(t: TestContext, scenario: Omit<Scenario, 'record'>, limits = patient) {
    const { script, launch } = project(t, scenario);
    const order: ParentOrder = { launch, options: { guard, limits } };
    const program = start(t, process.execPath, [parent, JSON.stringify(order)], { stdin: 'pipe' });
    const { pid } = JSON.parse((await program.until(/\{"pid".*\}/))[0]) as { pid: number };
    const tree = await treeBelow(program.process.pid!, script);
    t.after(async () => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      await allGone(tree);
    });
    await deployed(script);
    const tell = async (command: string) => {
      program.process.stdin!.write(`${command}\n`);
      await program.until(new RegExp(`${command} done`));
    };
    return { script, program, tree, pid, tell };
  }

  const ends: { name: string; faults?: Faults; limits: StopLimits; signals: string[]; cleansUp: boolean }[] = [
    { name: 'cleans up', limits: patient, signals: ['SIGINT'], cleansUp: true },
    {
      name: 'deaf to SIGINT: is terminated',
      faults: { ignoresSigint: true },
      limits: { ...patient, cleanUpMs: 500 },
      signals: ['SIGINT', 'SIGTERM'],
      cleansUp: true,
    },
    {
      name: 'dead-locked: is killed',
      faults: { afterDeploy: 'deadlock', child: 'stubborn' },
      limits: hasty,
      signals: [],
      cleansUp: false,
    },
  ];
  for (const { name, faults, limits, signals: heard, cleansUp } of ends)
    test(`by SIGKILL, ${name}`, async t => {
      const { script, program, tree } = await host(t, { faults: { child: 'polite', ...faults } }, limits);
      program.process.kill('SIGKILL');
      await allGone(tree);
      assert.deepEqual(signals(script), heard);
      assert.equal(script.happenings('cleanedUp').length, cleansUp ? 1 : 0);
    });

  test('during its clean-up, cleans up to the end', async t => {
    const { script, program, tree, tell } = await host(t, { cleanUpMs: 1000, faults: { child: 'polite' } });
    await tell('interrupt');
    await eventually('a signal', () => signals(script).length > 0 || undefined);
    program.process.kill('SIGKILL');
    await allGone(tree);
    assert.deepEqual(signals(script), ['SIGINT']);
    assert.equal(script.happenings('cleanedUp').length, 1);
  });

  test('after it was left, goes on, also when it prints', async t => {
    const { script, program, tree, pid, tell } = await host(
      t,
      { faults: { child: 'polite' }, onCleanUp: ['seq', '1', '100000'] },
      hasty,
    );
    await tell('leave');
    program.process.kill('SIGKILL');
    await eventually('the end of the host', () => program.process.exitCode !== null || program.process.killed);
    await new Promise(resolve => setTimeout(resolve, 2 * (hasty.cleanUpMs + hasty.terminateMs)));
    assert.deepEqual(tree.map(isAlive), [true, true, true]);
    process.kill(pid, 'SIGINT');
    await allGone(tree);
    assert.equal(script.happenings('cleanedUp').length, 1);
  });

  test('that has left it, ends when it wants to', async t => {
    const { script, program, pid, tell } = await host(t, { faults: { child: 'polite' } });
    await tell('leave');
    program.process.stdin!.end();
    await eventually('the end of the host', () => program.process.exitCode !== null || undefined);
    assert.equal(program.process.exitCode, 0);
    assert.ok(isAlive(pid));
    assert.deepEqual(signals(script), []);
  });
});
