import { existsSync, readFileSync } from 'node:fs';
import { cgroupFolders } from './cgroups.ts';
import { subnet } from './node.ts';
import { clusterNames } from './paths.ts';
import { madeFolders } from './places.ts';
import { inCgroup, inNamespace, markedWith, namespaceOf } from './processes.ts';
import { run } from './run.ts';
import type { Remains } from './state.ts';

/** How to recognise, later, what belonged to a cluster. */
export interface Traces {
  readonly cluster: Remains;
  /** Process and network namespace of its node. */
  readonly pid?: string | undefined;
  readonly net?: string | undefined;
}

/** Taken while the cluster is there, or as much of it as there is. */
export const tracesOf = (cluster: Remains): Traces => ({
  cluster,
  ...(cluster.init ? { pid: namespaceOf(cluster.init.pid, 'pid'), net: namespaceOf(cluster.init.pid, 'net') } : {}),
});

/** What is still there of a cluster; an empty list after `down`. */
export async function leftovers({ cluster, pid, net }: Traces): Promise<string[]> {
  const { work, cgroup, link, hostIp } = cluster;
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const processes = [
    ...markedWith(work).map(known => known.pid),
    ...inCgroup(cgroup),
    ...(pid ? inNamespace('pid', pid) : []),
    ...(net ? inNamespace('net', net) : []),
  ];
  return [
    ...processes.map(one => `process ${one}`),
    ...mounts.filter(line => line.includes(work)).map(line => `mount ${line}`),
    ...cgroupFolders(cgroup).map(folder => `cgroup ${folder}`),
    ...(link && existsSync(`/sys/class/net/${link}`) ? [`link ${link}`] : []),
    ...(hostIp ? await routesTo(subnet(hostIp)) : []).map(route => `route ${route}`),
    ...(existsSync(work) ? [`folder ${work}`] : []),
    ...(clusterNames().length === 0 ? madeFolders() : []).map(folder => `folder ${folder}`),
  ];
}

const routesTo = async (prefix: string): Promise<string[]> =>
  (await run('ip', ['route', 'show', 'table', 'all', 'exact', prefix])).split('\n').filter(Boolean);
