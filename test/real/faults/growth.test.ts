// 200 faults in a row in one process: what it holds after the last is what it held after the first fifty.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { afterSuite } from '../../integration/demo/support.ts';
import { DelayProxy } from '../cluster/faults/delayProxy.ts';
import { podNamed } from '../cluster/faults/pods.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { echo, lifeOfEcho, startEcho } from '../support/echo.ts';
import type { FaultRequest, Holding } from '../support/growthProcess.ts';

/** Each of these is far less than what one leaked socket, timer or closure for each of 150 faults would come to. */
const mostMore: Readonly<Record<keyof Holding, number>> = {
  faults: Infinity,
  heapBytes: 1_500_000,
  rssBytes: 60_000_000,
  descriptors: 5,
  resources: 8,
  emitters: 40,
  signals: 40,
  functions: 100,
};

const program = fileURLToPath(new URL('../support/growthProcess.ts', import.meta.url));

/** Does what the process asks for until it tells what it has measured. Throws when it ends in another way. */
function measuredBy(child: ChildProcess, proxy: DelayProxy): Promise<readonly [Holding, Holding]> {
  const faults: Readonly<Record<FaultRequest, () => void>> = {
    cut: () => proxy.cut(),
    refuse: () => void (proxy.isRefusing = true),
    accept: () => void (proxy.isRefusing = false),
  };
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('message', message => {
      if (typeof message !== 'string') return resolve(message as unknown as readonly [Holding, Holding]);
      faults[message as FaultRequest]();
      child.send('done');
    });
    child.once('error', reject);
    child.once('close', code => reject(new Error(`the process ended with ${code}:\n${said}`)));
  });
}

suite('faults in a row', { skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  before(async () => {
    cluster = await clusterFor(after, { name: 'growth', hasPods: false });
    await startEcho(cluster);
  });

  test('200 of them leave no memory, socket, timer or listener behind', { timeout: 400_000 }, async t => {
    const life = await lifeOfEcho(cluster);
    const proxy = await DelayProxy.start(cluster, 0);
    t.after(() => proxy.stop());
    const { uid } = (await podNamed(cluster, echo.pod)).metadata;
    const child = fork(program, [proxy.kubeconfig, echo.pod, uid], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    t.after(() => child.kill('SIGKILL'));
    const [first, last] = await measuredBy(child, proxy);
    t.diagnostic(`after ${first.faults}: ${JSON.stringify(first)}`);
    t.diagnostic(`after ${last.faults}: ${JSON.stringify(last)}`);
    const names = Object.keys(mostMore) as (keyof Holding)[];
    const grown = names.filter(name => last[name] - first[name] > mostMore[name]);
    assert.deepEqual(
      grown.map(name => `${name}: ${first[name]}, then ${last[name]}`),
      [],
    );
    await until('the end of its connections', () => proxy.open === 0);
    assert.deepEqual(await lifeOfEcho(cluster), life);
  });
});
