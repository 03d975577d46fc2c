// The node: process, mount and network namespaces of its own, and the wire to the host.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCgroups } from './cgroups.ts';
import { here } from './paths.ts';
import { noteMissing, places } from './places.ts';
import { childrenOf, identify, MARK, type Process } from './processes.ts';
import { CommandError, run, until } from './run.ts';
import { type Cluster, type ClusterPlan, save } from './state.ts';

/** A small environment: no proxy or SDK setting of the caller reaches the cluster. */
export const environment = ({ work }: ClusterPlan): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: work,
  [MARK]: work,
});

/** Makes the node, with nothing in it but its process 1. */
export async function createNode(plan: ClusterPlan): Promise<Cluster> {
  makeCgroups(plan.cgroup);
  noteMissing();
  return connect(plan, await startInit(plan));
}

type Started = Pick<Cluster, 'init' | 'unshare'>;

async function startInit(plan: ClusterPlan): Promise<Started> {
  const namespaces = [
    '--pid',
    '--mount',
    '--net',
    '--fork',
    '--kill-child',
    '--mount-proc',
    '--propagation',
    'private',
  ];
  const script = [join(here, 'config', 'init.sh'), plan.work, ...places];
  const parent = spawn('unshare', [...namespaces, 'sh', ...script], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment(plan),
  });
  let said = '';
  parent.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const control = new AbortController();
  parent.once('exit', () => control.abort());
  const patience = { timeoutMs: 10_000, everyMs: 20, signal: control.signal };
  try {
    const unshare = identify(parent.pid);
    const init = await until('process 1 of the node', () => identify(childrenOf(parent.pid ?? 0)[0]), patience);
    if (!unshare) throw new Error('unshare has ended');
    save({ ...plan, init, unshare });
    await until('the namespaces of the node', () => existsSync(join(plan.work, 'init.ready')), patience);
    return { init, unshare };
  } catch (error) {
    throw new Error(`the node did not start: ${said.trim()}`, { cause: error });
  } finally {
    parent.stderr.destroy();
    parent.unref();
  }
}

/** Arguments for `nsenter` that lead into the node; `ip netns exec` would hide /sys/fs/cgroup. */
export const entering = ({ pid }: Process): string[] => ['--target', String(pid), '--pid', '--mount', '--net', '--'];

/** Runs a command inside the node. */
export const inNode = ({ init }: Pick<Cluster, 'init'>, command: string, ...args: string[]): Promise<string> =>
  run('nsenter', [...entering(init), command, ...args]);

const LINK = 'bpod';
const NETWORK = '10.88.7';

/**
 * A pair of interfaces. The clusters share 10.88.7.0/24: the n-th has the n-th four addresses, and its link is called
 * bpod<n>. That a name can be taken only once makes the choice safe when two start at the same time.
 */
async function connect(plan: ClusterPlan, started: Started): Promise<Cluster> {
  for (let slot = 0; slot < 64; slot++) {
    const link = `${LINK}${slot}`;
    if (!(await takeLink(link, started.init))) continue;
    const [hostIp, nodeIp] = [`${NETWORK}.${slot * 4 + 1}`, `${NETWORK}.${slot * 4 + 2}`];
    const cluster: Cluster = {
      ...{ ...plan, ...started, link, linkIndex: linkIndexOf(link) ?? '', hostIp, nodeIp },
      ...{ server: `https://${nodeIp}:6443`, daemons: {} },
    };
    save(cluster);
    await run('ip', ['route', 'replace', ...barrier(hostIp)]);
    await run('ip', ['addr', 'add', `${hostIp}/30`, 'dev', link]);
    await run('ip', ['link', 'set', link, 'up']);
    await inNode(cluster, 'ip', 'addr', 'add', `${nodeIp}/30`, 'dev', 'eth0');
    await inNode(cluster, 'ip', 'link', 'set', 'eth0', 'up');
    return cluster;
  }
  throw new Error(`all 64 links ${LINK}0 to ${LINK}63 are taken`);
}

/** The kernel's number of a link; undefined when there is none of that name. */
export function linkIndexOf(link: string): string | undefined {
  try {
    return readFileSync(`/sys/class/net/${link}/ifindex`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

async function takeLink(link: string, { pid }: Process): Promise<boolean> {
  try {
    await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.message.includes('File exists')) return false;
    throw error;
  }
}

/** The four addresses of a link. */
export const subnet = (hostIp: string): string => `${hostIp.replace(/\d+$/, last => String(Number(last) - 1))}/30`;

/**
 * A route of last choice. Without it, packets to a node whose link is down would take the host's default route, and
 * whatever answers there would be taken for the API server.
 */
export const barrier = (hostIp: string): string[] => ['unreachable', subnet(hostIp), 'metric', '9999'];
