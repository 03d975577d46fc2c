import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { SkaffoldProcess } from '../../../src/core/runs.ts';
import { startSkaffold } from '../../../src/skaffold/process/startSkaffold.ts';
import type { Scenario } from '../../support/scriptedSkaffold/scenario.ts';
import { eventually } from '../demo/support.ts';
import { guard, project, withoutScript } from '../skaffold/launched.ts';
import { session } from './support.ts';

/** A session of a scripted Skaffold, which is a process with its guard. */
async function played(t: TestContext, scenario: Omit<Scenario, 'record'>, cleanUpTimeoutMs = 60_000) {
  const { launch, script } = project(t, scenario);
  const processes: SkaffoldProcess[] = [];
  const all = session(t, {
    launchOf: () => ({
      ...{ launch, cleanUpTimeoutMs, drainTimeoutMs: 10_000 },
      rules: { autoAttach: 'always', artifacts: new Map() },
    }),
    start: async (wanted, signal) => {
      const skaffold = await startSkaffold(wanted, signal, { guard });
      processes.push(skaffold);
      return skaffold;
    },
  });
  t.after(async () => {
    for (const skaffold of processes) {
      skaffold.kill();
      await skaffold.ended;
    }
  });
  await all.client.begin('launch');
  return { script, processes, ...all };
}

const shop = { artifacts: [{ name: 'shop-web', context: 'web' }] };

test('a Skaffold that is stopped cleans up, is read to its end, and is gone', { skip: withoutScript }, async t => {
  const { client, script, processes } = await played(t, shop);
  await eventually('the deploy', () => script.happenings('deployed')[0]);
  await client.said(/^Watching skaffold:/);
  await client.request('terminate');
  await client.terminated();
  await client.said(/^Stopped reading skaffold:\d+: \d+ events in the last \d+ ms, complete$/);
  assert.deepEqual(client.events('exited')[0]!.body, { exitCode: 0 });
  assert.equal(script.happenings('cleanedUp').length, 1);
  assert.equal(script.happenings('signal')[0]?.name, 'SIGINT');
  await processes[0]!.ended;
});

test('a first build that fails is shown to its end, with the advice', { skip: withoutScript }, async t => {
  const failingBuild = { artifact: 'shop-web', message: 'server.ts(3,1): error TS1005', suggestions: ['Fix it'] };
  const { client } = await played(t, { ...shop, buildMs: 2000, faults: { failingBuild } });
  await client.terminated();
  assert.deepEqual(client.events('exited')[0]!.body, { exitCode: 1 });
  await client.said(/^Stopped reading skaffold:\d+: \d+ events in the last \d+ ms, complete$/);
  assert.match(client.lines('stderr').join('\n'), /Build of shop-web failed: .*TS1005.* Fix it/);
});

test('a Skaffold that does not hear SIGINT is ended all the same', { skip: withoutScript }, async t => {
  const { client, script, processes } = await played(t, { ...shop, faults: { ignoresSigint: true } }, 500);
  await eventually('the deploy', () => script.happenings('deployed')[0]);
  await client.request('terminate');
  await client.said(/^Skaffold has not ended within 0\.5 s: it is told to terminate\.$/);
  await client.terminated();
  await processes[0]!.ended;
});

test('a Skaffold that is locked up is killed by a second stop', { skip: withoutScript }, async t => {
  const { client, script, processes } = await played(t, { ...shop, faults: { afterDeploy: 'deadlock' } });
  await eventually('the deploy', () => script.happenings('deployed')[0]);
  await client.request('terminate');
  await client.said(/^Stopping Skaffold/);
  await client.request('disconnect', { terminateDebuggee: true });
  await processes[0]!.ended;
  await client.terminated();
  assert.deepEqual(client.events('exited')[0]!.body, { exitCode: 137 });
});
