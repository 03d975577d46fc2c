// `npm run bench`: what Breakpod costs beside others, written to test/bench/RESULTS.md. Without options everything runs on
// this machine; `npm run bench -- --kubeconfig FILE` measures on a real cluster instead, in a namespace that it makes and
// removes: the login needs all rights there, and a node that can run `--image` (any image with Node).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { activationBench } from '../test/bench/activation.ts';
import { forwardBench } from '../test/bench/forward.ts';
import { createPods, startServer, withNamespace } from '../test/bench/realLoad.ts';
import { RealCluster } from '../test/bench/realNode.ts';
import { replayBench } from '../test/bench/replay.ts';
import { loadNow, type Part, writePart } from '../test/bench/results.ts';
import { rowDelayBench } from '../test/bench/rowDelay.ts';
import type { Table } from '../test/bench/table.ts';
import { watchBench, withSyntheticPods } from '../test/bench/watch.ts';
import { buildProgram } from './build.ts';
import { inRoot, out } from './lib/paths.ts';
import { packageExtension } from './package.ts';

const { values: options } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    image: { type: 'string', default: 'node:24-alpine' },
    kubectl: { type: 'string', default: 'kubectl' },
    rounds: { type: 'string', default: '5' },
  },
});
const rounds = Number(options.rounds);

/** The version of a kubectl; nothing when there is none, and then the rows without it remain. */
function kubectlVersion(kubectl: string): string | undefined {
  const { stdout, status } = spawnSync(kubectl, ['version', '--client', '--output', 'json'], { encoding: 'utf8' });
  return status === 0
    ? (JSON.parse(stdout) as { clientVersion: { gitVersion: string } }).clientVersion.gitVersion
    : undefined;
}

const version = kubectlVersion(options.kubectl);
const kubectl = version ? { kubectl: options.kubectl } : {};
const kubectlText = version ? `kubectl ${version}` : 'no kubectl found';

async function told(table: Promise<Table>): Promise<Table> {
  const { title, columns, rows } = await table;
  console.error(title);
  for (const row of rows)
    console.error(`  ${row.map((cell, n) => `${columns[n]}${columns[n] ? ' ' : ''}${cell}`).join(', ')}`);
  return table;
}

const forwardOptions = async () => ({
  bundle: await buildProgram(inRoot('test/bench/forwardMode.ts'), 'bench'),
  rounds,
  mib: 200,
  connections: 100,
  ...kubectl,
});

async function onThisMachine(): Promise<Part> {
  const vsix = await packageExtension();
  const pods = { pods: 10_000, changes: 3000, debuggable: 100 };
  const tables = [
    await told(withSyntheticPods(pods, load => watchBench('Watching pods', load, { rounds, ...kubectl }))),
    await told(forwardBench(await forwardOptions())),
    await told(rowDelayBench(300, 100)),
    await told(replayBench(200_000, 100)),
    await told(activationBench(join(out, 'extension.cjs'), vsix, 15)),
  ];
  return { heading: 'Everything on this machine', command: 'npm run bench', versions: kubectlText, tables };
}

async function onRealCluster(kubeconfig: string): Promise<Part> {
  const cluster = await RealCluster.open(kubeconfig);
  return withNamespace(cluster, async () => {
    const target = await startServer(cluster, options.image);
    const forward = await told(forwardBench({ ...(await forwardOptions()), target }));
    const load = await createPods(cluster, 5000, 3000);
    const watch = await told(watchBench('Watching pods', load, { rounds, ...kubectl }));
    return {
      heading: 'On a real node',
      command: 'npm run bench -- --kubeconfig FILE --image IMAGE --kubectl PROGRAM',
      versions: `${await cluster.versions()}, ${kubectlText}`,
      tables: [watch, forward],
    };
  });
}

const loadBefore = loadNow();
const part = await (options.kubeconfig ? onRealCluster(options.kubeconfig) : onThisMachine());
await writePart(part, loadBefore);
