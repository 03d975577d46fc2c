// Builds and installs the programs of a cluster; what is there already is left alone.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, binFolder, here } from './paths.ts';
import { run, type RunOptions } from './run.ts';

/** A file that a Debian package brings, and the package. */
const packages: Readonly<Record<string, string>> = {
  '/usr/bin/containerd': 'containerd',
  '/usr/sbin/runc': 'runc',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  '/usr/bin/docker-registry': 'docker-registry',
  '/usr/bin/etcd': 'etcd-server', // the old etcd
  '/bin/busybox': 'busybox-static',
  '/usr/sbin/iptables': 'iptables',
  '/usr/bin/openssl': 'openssl',
  '/sbin/ip': 'iproute2',
};

const kubernetes = ['kube-apiserver', 'kubelet', 'kube-controller-manager', 'kube-scheduler', 'kubectl'];

const built = [...kubernetes, 'etcd', 'crane', 'dlv'];

export const isBuilt = (): boolean => [...built.map(bin), ...Object.keys(packages)].every(file => existsSync(file));

/** Cold it takes a quarter of an hour and more; says on stderr what it does. */
export async function build(signal?: AbortSignal): Promise<void> {
  const slow: RunOptions = { timeoutMs: 3_600_000, isShown: true, signal };
  await installPackages(slow);
  await mkdir(binFolder, { recursive: true });
  for (const name of kubernetes)
    await once(name, partial => goBuild('kubernetes', `k8s.io/kubernetes/cmd/${name}`, partial, slow));
  await once('etcd', partial => goBuild('etcd', 'go.etcd.io/etcd/server/v3', partial, slow));
  await buildTool('crane', slow);
  await buildTool('dlv', slow);
}

/** One of `go/tools.json`; cold it takes half a minute. */
export async function buildTool(name: 'crane' | 'dlv', options: RunOptions): Promise<void> {
  const tools = JSON.parse(await readFile(join(here, 'go', 'tools.json'), 'utf8')) as Record<string, string>;
  await mkdir(binFolder, { recursive: true });
  await once(name, partial => goInstall(tools[name]!, partial, options));
}

/** A build that was cut short, or runs twice at the same time, leaves nothing that looks finished. */
async function once(name: string, make: (partial: string) => Promise<unknown>): Promise<void> {
  if (existsSync(bin(name))) return;
  const start = Date.now();
  const partial = bin(`.${name}.${process.pid}`);
  console.error(`Building ${name} …`);
  await make(partial);
  await rename(partial, bin(name));
  console.error(`Built ${name} in ${Math.round((Date.now() - start) / 1000)} s.`);
}

async function goBuild(module: string, path: string, to: string, options: RunOptions): Promise<void> {
  const flags = module === 'kubernetes' ? ['-ldflags', await versionFlags()] : [];
  await run('go', ['build', '-trimpath', ...flags, '-o', to, path], { ...options, cwd: join(here, 'go', module) });
}

/** Static, because Delve also runs in images that have no C library. */
async function goInstall(path: string, to: string, options: RunOptions): Promise<void> {
  const folder = `${to}.d`;
  await run('go', ['install', path], { ...options, env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' } });
  await rename(join(folder, /\/([\w-]+)@/.exec(path)![1]!), to);
  await rm(folder, { recursive: true });
}

/** Without these the programs call themselves v0.0.0-master+$Format:%H$, which clients cannot parse. */
async function versionFlags(): Promise<string> {
  const mod = await readFile(join(here, 'go', 'kubernetes', 'go.mod'), 'utf8');
  const [, version, major, minor] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(mod)!;
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  // The first is what the programs report, the second what clients put into the User-Agent.
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .flatMap(path => Object.entries(values).map(([key, value]) => `-X ${path}.${key}=${value}`))
    .join(' ');
}

async function installPackages(slow: RunOptions): Promise<void> {
  const missing = Object.keys(packages)
    .filter(file => !existsSync(file))
    .map(file => packages[file]!);
  if (missing.length === 0) return;
  console.error(`Installing ${missing.join(' ')} …`);
  const options = { ...slow, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await withoutServices(async () => {
    await run('apt-get', ['-qq', 'update'], options);
    await run('apt-get', ['-qq', 'install', '--yes', '--no-install-recommends', ...missing], options);
  });
}

/** etcd-server, docker-registry and containerd start a service when installed, unless this file says no (invoke-rc.d(8)). */
async function withoutServices(action: () => Promise<void>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return action();
  await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await action();
  } finally {
    await rm(policy);
  }
}
