import { existsSync, readFileSync } from 'node:fs';
import { cgroupFolders } from './cgroups.ts';
import { linkIndexOf, subnet } from './node.ts';
import { clusterNames } from './paths.ts';
import { madeFolders } from './places.ts';
import { inCgroup, inNamespace, isOfAnother, markedWith, namespaceOf } from './processes.ts';
import { run } from './run.ts';
import { type Remains, remainsOf } from './state.ts';

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

/** What is still there of a cluster; an empty list after `down`. What a neighbour has taken over meanwhile is not counted. */
export async function leftovers({ cluster, pid, net }: Traces): Promise<string[]> {
  const { name, work, cgroup, link, linkIndex, hostIp } = cluster;
  const neighbours = clusterNames()
    .filter(other => other !== name)
    .map(remainsOf);
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const processes = [
    ...markedWith(work).map(known => known.pid),
    ...inCgroup(cgroup),
    ...(pid ? leftIn('pid', pid, name) : []),
    ...(net ? leftIn('net', net, name) : []),
  ];
  const isLinkOurs = link !== undefined && !neighbours.some(other => other.link === link);
  return [
    ...processes.map(one => `process ${one}`),
    ...mounts.filter(line => line.includes(work)).map(line => `mount ${line}`),
    ...cgroupFolders(cgroup).map(folder => `cgroup ${folder}`),
    ...(isLinkOurs && linkIndexOf(link) === linkIndex ? [`link ${link}`] : []),
    ...(isLinkOurs && hostIp ? await routesTo(subnet(hostIp)) : []).map(route => `route ${route}`),
    ...(existsSync(work) ? [`folder ${work}`] : []),
    ...(clusterNames().length === 0 ? madeFolders() : []).map(folder => `folder ${folder}`),
  ];
}

/** The kernel gives the number of a namespace that has gone to a new one: to a neighbour's node, or to one of its containers. */
const leftIn = (kind: 'pid' | 'net', namespace: string, name: string): number[] =>
  inNamespace(kind, namespace).filter(one => !isOfAnother(one, name));

const routesTo = async (prefix: string): Promise<string[]> =>
  (await run('ip', ['route', 'show', 'table', 'all', 'exact', prefix])).split('\n').filter(Boolean);
