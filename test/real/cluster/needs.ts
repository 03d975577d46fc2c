import { existsSync } from 'node:fs';
import { whichOf } from '../../../.ci/lib/command.ts';
import { jdk, type Need, provide } from '../../../.ci/lib/needs.ts';
import { build, isBuilt } from './build.ts';
import { hasImages, makeImages } from './images.ts';

/** What cannot be installed here; each with its reason. */
const programs: Readonly<Record<string, string>> = {
  go: 'Go 1.26 or newer, which builds Kubernetes',
  python3: 'Python 3.8 or newer with pip, for the Python image',
  'apt-get': "Debian's or Ubuntu's packages (containerd, runc, CNI plugins)",
};

/** Why no cluster can run on this machine, as a sentence; undefined where it can. */
export function obstacle(): string | undefined {
  if (process.platform !== 'linux') return 'A Kubernetes node needs Linux.';
  if (process.getuid?.() !== 0) return 'A Kubernetes node needs root.';
  if (existsSync('/sys/fs/cgroup/cgroup.controllers'))
    return 'This machine has cgroup v2 only, and the node of these tests is set up for v1.';
  const missing = Object.keys(programs).filter(name => !whichOf([name]));
  if (missing.length === 0) return undefined;
  return `A Kubernetes node of one's own needs ${missing.map(name => programs[name]).join('; ')}.`;
}

/** Throws an `Error` with the obstacle. Installs and builds whatever is missing. */
export async function provideNode(signal?: AbortSignal): Promise<void> {
  const reason = obstacle();
  if (reason) throw new Error(reason);
  await provide(jdk);
  await build(signal);
  await makeImages();
}

/** All that has to be there before a cluster starts. */
export const nodePrograms: Need = {
  name: 'the programs and images of a Kubernetes node (the first time about 20 minutes)',
  isThere: () => obstacle() === undefined && isBuilt() && hasImages(),
  install: () => provideNode(),
};
