// `npm run bench`: what Breakpod costs beside others, written to test/bench/RESULTS.md. Without options everything runs on
// this machine; `npm run bench -- --kubeconfig FILE` measures on a real cluster instead, in a namespace that it makes and
// removes: the login needs all rights there, and a node that can run `--image` (any image with Node). Words choose tables:
// `npm run bench -- watch forward`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { activationBench } from '../test/bench/activation.ts';
import { forwardBench } from '../test/bench/forward.ts';
import { createPods, startServer, withNamespace } from '../test/bench/realLoad.ts';
import { RealCluster } from '../test/bench/realNode.ts';
import { replayBench } from '../test/bench/replay.ts';
import { measured, type Part } from '../test/bench/results.ts';
import { rowDelayBench } from '../test/bench/rowDelay.ts';
import type { Table } from '../test/bench/table.ts';
import { watchBench, withSyntheticPods } from '../test/bench/watch.ts';
import { buildProgram } from './build.ts';
import { inRoot, out } from './lib/paths.ts';
import { packageExtension } from './package.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
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

/** Measures, writes the table down and tells of it. */
async function table(part: Part, name: string, measure: () => Promise<Table>): Promise<void> {
  if (words.length > 0 && !words.includes(name)) return;
  const { title, columns, rows } = await measured(part, measure);
  console.error(`${part.heading}: ${title}`);
  for (const row of rows)
    console.error(`  ${row.map((cell, n) => `${columns[n]}${columns[n] ? ' ' : ''}${cell}`).join(', ')}`);
}

const programOf = (name: string) => buildProgram(inRoot('test/bench', `${name}.ts`), join('bench', name));
const watchOptions = async () => ({ bundle: await programOf('watchMode'), rounds, ...kubectl });
const forwardOptions = async () => ({
  bundle: await programOf('forwardMode'),
  rounds,
  mib: 200,
  connections: 100,
  ...kubectl,
});

async function onThisMachine(): Promise<void> {
  const part = { heading: 'On this machine alone', command: 'npm run bench', versions: kubectlText };
  const pods = { pods: 10_000, changes: 3000, debuggable: 100 };
  await table(part, 'watch', () => withSyntheticPods(pods, async load => watchBench(load, await watchOptions())));
  await table(part, 'forward', async () => forwardBench(await forwardOptions()));
  await table(part, 'row', () => rowDelayBench(300, 100));
  await table(part, 'replay', () => replayBench(200_000, 100));
  await table(part, 'start', async () => {
    const vsix = await packageExtension();
    return activationBench(join(out, 'extension.cjs'), vsix, 15);
  });
}

async function onRealCluster(kubeconfig: string): Promise<void> {
  const cluster = await RealCluster.open(kubeconfig);
  const part = {
    heading: 'On a real node',
    command: 'npm run bench -- --kubeconfig FILE --image IMAGE --kubectl PROGRAM',
    versions: `${await cluster.versions()}, ${kubectlText}`,
  };
  await withNamespace(cluster, async () => {
    await table(part, 'forward', async () => {
      const target = await startServer(cluster, options.image);
      return forwardBench({ ...(await forwardOptions()), target });
    });
    await table(part, 'watch', async () => watchBench(await createPods(cluster, 5000, 3000), await watchOptions()));
  });
}

await (options.kubeconfig ? onRealCluster(options.kubeconfig) : onThisMachine());
