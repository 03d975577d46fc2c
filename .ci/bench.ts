// `npm run bench`: what Breakpod costs beside others, written to test/bench/RESULTS.md: on this machine alone, and on a real
// node that it brings up and takes down, where there can be one. `npm run bench -- --kubeconfig FILE` measures on another
// cluster instead, in a namespace that it makes and removes: the login needs all rights there, and a node that can run
// `--image` (any image with Node). Words choose tables by the beginning of their name: `npm run bench -- node-forward watch`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { activationBench } from '../test/bench/activation.ts';
import { forwardBench } from '../test/bench/forward.ts';
import { type OwnNode, withOwnNode } from '../test/bench/ownNode.ts';
import { createPods, startServer, withNamespace } from '../test/bench/realLoad.ts';
import { RealCluster } from '../test/bench/realNode.ts';
import { replayBench } from '../test/bench/replay.ts';
import { measured, type Part } from '../test/bench/results.ts';
import { rowDelayBench } from '../test/bench/rowDelay.ts';
import { serviceLoadBench } from '../test/bench/serviceLoad.ts';
import { skaffoldReplayBench } from '../test/bench/skaffoldReplay.ts';
import { stallBench } from '../test/bench/stall.ts';
import { startBench } from '../test/bench/startDelay.ts';
import type { Table } from '../test/bench/table.ts';
import { watchBench, withSyntheticPods } from '../test/bench/watch.ts';
import { build } from '../test/real/cluster/build.ts';
import { obstacle } from '../test/real/cluster/needs.ts';
import { bin } from '../test/real/cluster/paths.ts';
import { buildProgram } from './build.ts';
import { inRoot, out } from './lib/paths.ts';
import { packageExtension } from './package.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    kubeconfig: { type: 'string' },
    image: { type: 'string', default: 'node:24-alpine' },
    kubectl: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
});
const rounds = Number(options.rounds);
const noNode = obstacle();

/** kubectl of the real node's version, which is built with it; where there can be none, the one that is installed. */
async function findKubectl(): Promise<string> {
  if (options.kubectl || options.kubeconfig || noNode) return options.kubectl ?? 'kubectl';
  await build();
  return bin('kubectl');
}

/** The version of a kubectl; nothing when there is none, and then the rows without it remain. */
function versionOf(program: string): string | undefined {
  const { stdout, status } = spawnSync(program, ['version', '--client', '--output', 'json'], { encoding: 'utf8' });
  return status === 0
    ? (JSON.parse(stdout) as { clientVersion: { gitVersion: string } }).clientVersion.gitVersion
    : undefined;
}

const program = await findKubectl();
const version = versionOf(program);
const kubectl = version ? { kubectl: program } : {};
const kubectlText = version ? `kubectl ${version}` : 'no kubectl found';

const isChosen = (name: string) => words.length === 0 || words.some(word => name.startsWith(word));

/** Measures, writes the table down and tells of it. */
async function table(part: Part, name: string, measure: () => Promise<Table>): Promise<void> {
  if (!isChosen(name)) return;
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
  await table(part, 'skaffold-replay', () => skaffoldReplayBench(200_000, 100));
  await table(part, 'service', () => serviceLoadBench(20_000, rounds));
  await table(part, 'start', async () => {
    const vsix = await packageExtension();
    return activationBench(join(out, 'extension.cjs'), vsix, 15);
  });
}

/** `own` has what only a node of the bench's own can tell. */
async function onRealNode(kubeconfig: string, image: string, command: string, own?: OwnNode): Promise<void> {
  const cluster = await RealCluster.open(kubeconfig);
  const versions = `${await cluster.versions()}, ${kubectlText}`;
  const part = { heading: own ? 'On a real node' : 'On another cluster', command, versions };
  await withNamespace(cluster, async () => {
    if (isChosen('node-forward') || isChosen('node-stall')) {
      const target = await startServer(cluster, image);
      await table(part, 'node-forward', async () => forwardBench({ ...(await forwardOptions()), target }));
      await table(part, 'node-stall', async () => stallBench({ ...(await forwardOptions()), target }));
    }
    if (own)
      await table(part, 'node-start', async () =>
        startBench(cluster, own, { bundle: await programOf('rowMode'), kubectl: program, starts: 10 }),
      );
    await table(part, 'node-watch', async () =>
      watchBench(await createPods(cluster, 2000, 2000), await watchOptions()),
    );
  });
}

if (options.kubeconfig) {
  const command = 'npm run bench -- --kubeconfig FILE --image IMAGE --kubectl PROGRAM';
  await onRealNode(options.kubeconfig, options.image, command);
} else {
  await onThisMachine();
  if (noNode) console.error(`Not measured on a real node: ${noNode}`);
  else if (['node-forward', 'node-stall', 'node-start', 'node-watch'].some(isChosen))
    await withOwnNode(node => onRealNode(node.kubeconfig, node.image, 'npm run bench', node));
}
