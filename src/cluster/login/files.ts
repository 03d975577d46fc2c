import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Credentials, TlsOptions } from '../access.ts';
import type { ClusterEntry, UserEntry } from '../kubeconfig/entries.ts';
import { impersonationHeaders } from './impersonation.ts';

/**
 * What the kubeconfig and the files that it names say by themselves, without a plugin: certificates, tokens, names.
 * client-node reads the entries; what it does otherwise than kubectl is mended on the way in and out. Throws the error
 * of a file that cannot be read.
 */
export async function readCredentials(cluster: ClusterEntry, user: UserEntry): Promise<Credentials> {
  const options: RequestOptions = {};
  await (await kubeConfigOf(cluster, user)).applyToHTTPSOptions(options);
  const token = await readToken(user);
  const { Authorization: authorization, ...headers } = (options.headers ?? {}) as Record<string, string>;
  const login = token ? `Bearer ${token}` : (authorization ?? basic(options.auth));
  return {
    headers: { ...(login ? { Authorization: login } : {}), ...headers, ...impersonationHeaders(user) },
    tls: tlsOf(options),
  };
}

async function kubeConfigOf(cluster: ClusterEntry, user: UserEntry): Promise<KubeConfig> {
  const { KubeConfig } = await import('../libraries.ts');
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: 'cluster',
        server: 'https://cluster', // only the agent that it makes, which is not used, depends on it
        skipTLSVerify: cluster.skipTlsVerify,
        ...(cluster.tlsServerName ? { tlsServerName: cluster.tlsServerName } : {}),
        ...dataOrFile('ca', cluster.caData, cluster.caFile),
      },
    ],
    users: [
      {
        name: 'user',
        ...(user.token ? { token: user.token } : {}),
        ...(user.username ? { username: user.username, password: user.password ?? '' } : {}),
        ...(user.as ? { impersonateUser: user.as } : {}),
        ...dataOrFile('cert', user.certData, user.certFile),
        ...dataOrFile('key', user.keyData, user.keyFile),
      },
    ],
    contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
    currentContext: 'context',
  });
  return config;
}

/** Data win over the file, as for kubectl; client-node takes the file. */
const dataOrFile = (name: string, data: string | undefined, file: string | undefined) =>
  data ? { [`${name}Data`]: data } : file ? { [`${name}File`]: file } : {};

const basic = (login: string | null | undefined) => login && `Basic ${Buffer.from(login).toString('base64')}`;

/** The token of the file; the one in the kubeconfig stands in for a file that cannot be read. */
async function readToken({ token, tokenFile }: UserEntry): Promise<string | undefined> {
  if (!tokenFile) return undefined;
  try {
    return (await readFile(tokenFile, 'utf8')).trim() || token;
  } catch (error) {
    if (token) return token;
    throw error;
  }
}

function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): TlsOptions {
  return {
    ...(ca ? { ca: ca as Buffer } : {}),
    ...(cert ? { cert: cert as Buffer } : {}),
    ...(key ? { key: key as Buffer } : {}),
    ...(servername ? { servername } : {}),
    rejectUnauthorized: rejectUnauthorized ?? true, // said here, so that NODE_TLS_REJECT_UNAUTHORIZED does not decide
  };
}
