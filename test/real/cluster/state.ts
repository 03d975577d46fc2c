import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupOf, workFolder } from './paths.ts';
import type { Process } from './processes.ts';

export interface ClusterOptions {
  readonly name?: string | undefined;
  /** `new` lists by watching; `old` is Debian's, which cannot. */
  readonly etcd?: string | undefined;
  /** Forgets old versions every five seconds, so that what asks for one soon gets 410. */
  readonly compaction?: boolean | undefined;
}

/** What is known of a cluster before there is any of it. */
export interface ClusterPlan {
  readonly name: string;
  readonly etcd: 'old' | 'new';
  readonly compaction: boolean;
  readonly work: string;
  /** Its folder in each cgroup hierarchy. */
  readonly cgroup: string;
}

/** A cluster whose node is there. Kept in `state.json` of its work folder. */
export interface Cluster extends ClusterPlan {
  /** Process 1 of the node, and its parent. */
  readonly init: Process;
  readonly unshare: Process;
  readonly link: string;
  /** Of the link: its name goes to another cluster as soon as it is free, the kernel's number does not. */
  readonly linkIndex: string;
  readonly hostIp: string;
  readonly nodeIp: string;
  /** Address of the API server. */
  readonly server: string;
  readonly daemons: Record<string, Process>;
  /** Of the service account `dev`. */
  devUid?: string;
}

/** As much of a cluster as an `up` that was cut short has noted. */
export type Remains = ClusterPlan & Partial<Cluster>;

export const DEFAULT_NAME = 'real';

/** Throws an `Error` that says which option is wrong. */
export function planCluster({ name = DEFAULT_NAME, etcd = 'new', compaction = false }: ClusterOptions): ClusterPlan {
  if (!/^[a-z0-9-]{1,20}$/.test(name))
    throw new Error(`A cluster's name has up to 20 of a-z, 0-9 and "-"; this is "${name}".`);
  if (etcd !== 'old' && etcd !== 'new') throw new Error(`The etcd is "old" or "new", not "${etcd}".`);
  return { name, etcd, compaction, work: workFolder(name), cgroup: cgroupOf(name) };
}

const stateFile = (work: string): string => join(work, 'state.json');

/** Opens a cluster that is up. Throws an `Error` that says what to do. */
export function openCluster(name = DEFAULT_NAME): Cluster {
  const remains = remainsOf(name);
  if (!remains.server)
    throw new Error(`There is no cluster "${name}". Start it by: npm run cluster -- up --name ${name}`);
  return remains as Cluster;
}

/** What is known of a cluster in whatever state; at least its name. */
export function remainsOf(name: string): Remains {
  const plan = planCluster({ name });
  try {
    return { ...plan, ...(JSON.parse(readFileSync(stateFile(plan.work), 'utf8')) as Remains) };
  } catch {
    return plan; // no state, or half of it
  }
}

export function save(cluster: Remains): void {
  const file = stateFile(cluster.work);
  writeFileSync(`${file}.partial`, JSON.stringify(cluster, null, 2));
  renameSync(`${file}.partial`, file);
}
