// `npm run cluster -- up|down|status`: a real Kubernetes node on this machine, from the real programs, in namespaces of
// its own. test/real/cluster/README.md tells what it is made of. Several run side by side by name.
import { parseArgs } from 'node:util';
import { down } from '../test/real/cluster/down.ts';
import { kubectl, kubectlJson } from '../test/real/cluster/kubectl.ts';
import { clusterNames } from '../test/real/cluster/paths.ts';
import { isAlive } from '../test/real/cluster/processes.ts';
import { type Cluster, DEFAULT_NAME, type Remains, remainsOf } from '../test/real/cluster/state.ts';
import { applyPods, up } from '../test/real/cluster/up.ts';

const USAGE = `Usage:
  npm run cluster -- up [--name NAME] [--etcd old|new] [--compaction] [--pods]
  npm run cluster -- down [--name NAME]
  npm run cluster -- status [--name NAME]

The name is "${DEFAULT_NAME}" unless given. --pods makes the pods that the tests use.`;

const options = {
  name: { type: 'string' },
  etcd: { type: 'string' },
  compaction: { type: 'boolean' },
  pods: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interrupted.abort(new Error(`Interrupted by ${signal}.`)));

async function bringUp(values: Values): Promise<void> {
  const cluster = await up(values, interrupted.signal);
  if (values.pods) await applyPods(cluster);
  console.log(describe(cluster));
}

const describe = ({ name, server, work }: Cluster): string => `${name}: ${server}, kubeconfigs in ${work}/kube`;

async function tellStatus({ name }: Values): Promise<void> {
  const names = name === undefined ? clusterNames() : [name];
  if (names.length === 0) console.log('There is no cluster.');
  for (const one of names) console.log(await statusOf(remainsOf(one)));
}

async function statusOf(cluster: Remains): Promise<string> {
  if (!isAlive(cluster.init)) {
    const isThere = clusterNames().includes(cluster.name);
    return `${cluster.name}: ${isThere ? `not running; npm run cluster -- down --name ${cluster.name} removes the rest` : 'there is no such cluster'}`;
  }
  const whole = cluster as Cluster;
  const dead = Object.keys(whole.daemons).filter(name => !isAlive(whole.daemons[name]));
  return [describe(whole), ...dead.map(name => `  ${name} has ended`), `  ${await answerOf(whole)}`].join('\n');
}

async function answerOf(cluster: Cluster): Promise<string> {
  try {
    const { items } = await kubectlJson(cluster, ['get', 'pods', '-A']);
    const running = items.filter(({ status }) => status.phase === 'Running').length;
    const node = await kubectl(cluster, ['get', 'node', 'node1', '--no-headers']);
    return `${node.trim().split(/\s+/).join(' ')}; ${running} of ${items.length} pods are running`;
  } catch (error) {
    return `its API server does not answer: ${(error as Error).message}`;
  }
}

const actions: Readonly<Record<string, (values: Values) => Promise<void>>> = {
  up: bringUp,
  down: ({ name = DEFAULT_NAME }) => down(name),
  status: tellStatus,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const action = actions[positionals[0] ?? ''];
  if (!action || positionals.length > 1) throw new Error(USAGE);
  await action(values);
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
