// The kubeconfigs beside `admin`. In the namespace `shop`, `dev` may see pods and their logs and forward ports, `viewer`
// may not forward.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { byPlugin, writeKubeconfig } from './kubeconfig.ts';
import { kubectl, kubectlJson } from './kubectl.ts';
import { here } from './paths.ts';
import { type Cluster, save } from './state.ts';
import { makeToken } from './token.ts';

const inShop = { namespace: 'shop' };

/** The rights of `dev` and `viewer`. */
export const rbacFile: string = join(here, 'manifests', 'rbac.yaml');

/** Makes the namespace `shop`, accounts and rights, and the kubeconfigs `dev`, `viewer`, `exec` and `file`. */
export async function makeUsers(cluster: Cluster): Promise<void> {
  await kubectl(cluster, ['apply', '-f', rbacFile]);
  for (const name of ['dev', 'viewer']) {
    const token = await kubectl(cluster, ['create', 'token', name, '--namespace', 'shop', '--duration', '24h']);
    await writeKubeconfig(cluster, name, { token: token.trim() }, inShop);
  }
  cluster.devUid = (await kubectlJson(cluster, ['get', 'serviceaccount', 'dev', '--namespace', 'shop'])).metadata.uid;
  save(cluster);
  await writeKubeconfig(cluster, 'exec', byPlugin(cluster, cluster.devUid, 300), inShop);
  await renewToken(cluster, 600);
  await writeKubeconfig(cluster, 'file', { tokenFile: tokenFile(cluster) }, inShop);
}

const tokenFile = ({ work }: Cluster): string => join(work, 'tokens', 'dev');

const devToken = (cluster: Cluster, seconds: number): string =>
  makeToken(cluster.work, { namespace: 'shop', name: 'dev', uid: cluster.devUid ?? '' }, seconds);

/**
 * Puts a new token of `dev` into the file that the kubeconfig `file` names, as a kubelet or a login tool does before the old
 * one ends.
 */
export async function renewToken(cluster: Cluster, seconds: number): Promise<string> {
  const token = devToken(cluster, seconds);
  await mkdir(join(cluster.work, 'tokens'), { recursive: true });
  await writeFile(`${tokenFile(cluster)}.partial`, token, { mode: 0o600 });
  await rename(`${tokenFile(cluster)}.partial`, tokenFile(cluster));
  return token;
}

/** What the API server grants after a token's end (Kubernetes `pkg/serviceaccount`, via go-jose's default leeway). */
export const GRACE_SECONDS = 60;

/**
 * A token of `dev` that is refused after about that many seconds (and up to ten more, in which the API server does not look
 * again at one that it found good), also in the kubeconfig `short`. It has ended already, but for the API server's grace.
 */
export async function shortToken(cluster: Cluster, seconds: number): Promise<string> {
  const token = devToken(cluster, seconds - GRACE_SECONDS);
  await writeKubeconfig(cluster, 'short', { token }, inShop);
  return token;
}

/** `dev` and `viewer` may see and forward no more; watches that are open stay open. */
export const revokeRights = (cluster: Cluster): Promise<string> =>
  kubectl(cluster, ['delete', 'rolebinding', 'see-pods', 'forward-ports', '-n', 'shop']);

/** `dev` may forward no more; connections that are open stay open. */
export const revokeForwards = (cluster: Cluster): Promise<string> =>
  kubectl(cluster, ['delete', 'rolebinding', 'forward-ports', '-n', 'shop']);

/** All rights again, whichever were taken away. */
export const grantRights = (cluster: Cluster): Promise<string> => kubectl(cluster, ['apply', '-f', rbacFile]);
