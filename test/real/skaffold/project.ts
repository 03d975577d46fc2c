// The sample project: four services, each built by Skaffold in another way and run by another runtime.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from '../../../.ci/lib/command.ts';
import type { Cluster } from '../cluster/state.ts';
import * as probes from '../support/probes.ts';

/** One of the services, as it has to look in our rows. */
export interface Service {
  readonly name: string;
  readonly builder: string;
  readonly runtime: string;
  readonly port: number;
  /** What the debuggee answers at a local port. */
  readonly probe: (port: number) => Promise<string>;
  /** Names of the files in `k8s`. */
  readonly manifests: readonly string[];
  /** The artifact of skaffold.yaml, beside its image and context; base images are in the registry. */
  readonly build: (registry: string) => object;
  /** A command in the folder of the service that shows whether the builder's own tools are there. */
  readonly check: readonly string[];
}

const overBase = (base: string): object => ({
  custom: { buildCommand: `sh ../build.sh ${base}`, dependencies: { paths: ['.'] } },
});

const jibVersion = 'jib:_skaffold-fail-if-jib-out-of-date';

export const services: readonly Service[] = [
  {
    name: 'web',
    builder: 'custom',
    runtime: 'nodejs',
    port: 9229,
    probe: probes.devtools,
    manifests: ['web', 'db'],
    build: registry => overBase(`${registry}/node:1`),
    check: ['sh', '-n', '../build.sh'],
  },
  {
    name: 'report',
    builder: 'custom',
    runtime: 'python',
    port: 5678,
    probe: probes.dap,
    manifests: ['report'],
    build: registry => overBase(`${registry}/python:1`),
    check: ['sh', '-n', '../build.sh'],
  },
  {
    name: 'stock',
    builder: 'ko',
    runtime: 'go',
    port: 56268,
    probe: probes.dlv,
    manifests: ['stock'],
    build: registry => ({ ko: { fromImage: `${registry}/busybox:1` } }),
    check: ['go', 'list', '.'],
  },
  {
    name: 'orders',
    builder: 'Jib',
    runtime: 'jvm',
    port: 5005,
    probe: probes.jdwp,
    manifests: ['orders'],
    build: registry => ({ jib: { fromImage: `${registry}/java:1` } }),
    check: ['mvn', '--batch-mode', '-Dstyle.color=never', jibVersion, '-Djib.requiredVersion=1.4.0'],
  },
];

/** A copy of the project in a folder, with the services that can be built on this machine. */
export interface Project {
  readonly folder: string;
  readonly built: readonly Service[];
  /** By the name of a service, why it is not built: what its builder said. */
  readonly obstacles: ReadonlyMap<string, string>;
}

/** Copies the project and writes its skaffold.yaml. The cluster's registry is where images come from and go to. */
export async function prepareProject(folder: string, registry: string): Promise<Project> {
  await cp(join(import.meta.dirname, 'project'), folder, { recursive: true });
  const obstacles = new Map<string, string>();
  for (const { name, check } of services) {
    const [command, ...args] = check;
    const { ok, output } = await runCommand(command!, args, { cwd: join(folder, name), timeoutMs: 300_000 });
    if (!ok) obstacles.set(name, stripVTControlCharacters(output).trim().split('\n').slice(-15).join('\n'));
  }
  const built = services.filter(({ name }) => !obstacles.has(name));
  const manifests = [...built.flatMap(service => service.manifests), 'legacy'];
  const config = {
    apiVersion: 'skaffold/v4beta6',
    kind: 'Config',
    metadata: { name: 'sample' },
    build: {
      tagPolicy: { sha256: {} },
      local: { push: true },
      artifacts: built.map(({ name, build }) => ({ image: name, context: name, ...build(registry) })),
    },
    manifests: { rawYaml: manifests.map(name => `k8s/${name}.yaml`) },
    deploy: { kubectl: {}, statusCheckDeadlineSeconds: 240 },
  };
  await writeFile(join(folder, 'skaffold.yaml'), JSON.stringify(config, null, 2)); // YAML is a superset of JSON
  return { folder, built, obstacles };
}

/** The cluster's registry, as this machine and the pods reach it. */
export const registryOf = ({ nodeIp }: Cluster): string => `${nodeIp}:5000`;
