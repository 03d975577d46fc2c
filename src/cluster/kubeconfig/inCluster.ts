import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Entries } from './entries.ts';
import type { Environment } from '../../lib/command.ts';

const NAME = 'in-cluster';

/**
 * The access that a pod has to its own cluster by its service account, as kubectl takes it when there is no kubeconfig
 * (client-go `rest.InClusterConfig`); undefined outside a pod. `directory` has the account's files.
 */
export async function inClusterEntries(
  env: Environment,
  directory = '/var/run/secrets/kubernetes.io/serviceaccount',
): Promise<Entries | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const tokenFile = path.join(directory, 'token');
  if (!host || !port || !(await readText(tokenFile))) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const namespace = (await readText(path.join(directory, 'namespace')))?.trim();
  return {
    currentContext: NAME,
    clusters: new Map([[NAME, { name: NAME, server, caFile: path.join(directory, 'ca.crt'), skipTlsVerify: false }]]),
    users: new Map([[NAME, { name: NAME, tokenFile, asGroups: [], asUserExtra: {} }]]),
    contexts: new Map([[NAME, { name: NAME, cluster: NAME, user: NAME, ...(namespace ? { namespace } : {}) }]]),
  };
}

const readText = (file: string) => readFile(file, 'utf8').catch(() => undefined);
