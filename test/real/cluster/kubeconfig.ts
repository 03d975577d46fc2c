import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { here } from './paths.ts';
import type { Cluster, ClusterPlan } from './state.ts';

/** The kubeconfig of a user. */
export const kubeconfigOf = ({ work }: ClusterPlan, user: string): string => join(work, 'kube', `${user}.yaml`);

/** What stands below `user:` in a kubeconfig. */
export type UserEntry = Readonly<Record<string, unknown>>;

export interface KubeconfigOptions {
  readonly server?: string;
  readonly namespace?: string;
}

/** Writes it and gives its path. JSON, since YAML is a superset of it. */
export async function writeKubeconfig(
  cluster: Cluster,
  user: string,
  entry: UserEntry,
  { server = cluster.server, namespace = 'default' }: KubeconfigOptions = {},
): Promise<string> {
  const { name, work } = cluster;
  const context = `${name}-${user}`;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority': join(work, 'pki/ca.crt') } }],
    users: [{ name: user, user: entry }],
    contexts: [{ name: context, context: { cluster: name, user, namespace } }],
    'current-context': context,
  };
  const file = kubeconfigOf(cluster, user);
  await mkdir(join(work, 'kube'), { recursive: true });
  await writeFile(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return file;
}

/** A client certificate, made by `makePki`. */
export const byCertificate = ({ work }: ClusterPlan, name: string): UserEntry => ({
  'client-certificate': join(work, 'pki', `${name}.crt`),
  'client-key': join(work, 'pki', `${name}.key`),
});

/** The credential plugin `credential.ts`, whose tokens are of the account `dev`. */
export const byPlugin = ({ work }: ClusterPlan, devUid: string, seconds: number): UserEntry => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    interactiveMode: 'Never',
    args: [join(here, 'credential.ts'), work, devUid, String(seconds)],
  },
});
