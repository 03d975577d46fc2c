import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** All mounted hierarchies: kubelet and runc use those of cgroup v1, and make a folder in the `unified` one too. */
const hierarchies = (): string[] =>
  readdirSync(ROOT)
    .map(name => join(ROOT, name))
    .filter(path => existsSync(join(path, 'cgroup.procs')));

/** The folders that a cluster has now. */
export const cgroupFolders = (cgroup: string): string[] =>
  hierarchies()
    .map(path => join(path, cgroup))
    .filter(path => existsSync(path));

/** Makes a cluster's folder in every hierarchy; the kubelet refuses a root that is not there. */
export function makeCgroups(cgroup: string): void {
  for (const hierarchy of hierarchies()) {
    const folder = join(hierarchy, cgroup);
    mkdirSync(folder, { recursive: true });
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      // empty in a new folder, and then nothing may run there
      if (existsSync(join(folder, file))) writeFileSync(join(folder, file), readFileSync(join(hierarchy, file)));
  }
}

/** Throws as long as a process in them has not ended and been reaped. */
export function removeCgroups(cgroup: string): void {
  for (const folder of cgroupFolders(cgroup)) removeTree(folder);
}

function removeTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(folder, entry.name));
  rmdirSync(folder);
}
