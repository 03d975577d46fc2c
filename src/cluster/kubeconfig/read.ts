import path from 'node:path';
import type { ClusterEntry, ContextEntry, Entries, PluginEntry, UserEntry } from './entries.ts';
import {
  isMapping,
  isTrueAt,
  type Mapping,
  mappingAt,
  mappingsAt,
  present,
  textAt,
  textsAt,
} from '../../lib/mapping.ts';

/**
 * The entries of one kubeconfig file (client-go `tools/clientcmd/api/v1/types.go`). Lenient where kubectl refuses the
 * whole file: an entry without a name is passed over, the first of two with one name wins, a field of a wrong type
 * counts as absent; what a context lacks is said when it is used. Relative paths are relative to `directory`.
 */
export function readEntries(file: Mapping, directory: string): Entries {
  const at = (file: string | undefined) => (file === undefined ? undefined : path.resolve(directory, file));
  const currentContext = textAt(file, 'current-context');
  return {
    ...(currentContext ? { currentContext } : {}),
    clusters: named(file, 'clusters', 'cluster', (name, of) => readCluster(name, of, at)),
    users: named(file, 'users', 'user', (name, of) => readUser(name, of, at)),
    contexts: named(file, 'contexts', 'context', readContext),
  };
}

type Resolve = (file: string | undefined) => string | undefined;

function named<T>(file: Mapping, list: string, key: string, read: (name: string, of: Mapping) => T): Map<string, T> {
  const entries = new Map<string, T>();
  for (const item of mappingsAt(file, list)) {
    const name = textAt(item, 'name');
    if (name !== undefined && !entries.has(name)) entries.set(name, read(name, mappingAt(item, key)));
  }
  return entries;
}

function readCluster(name: string, of: Mapping, at: Resolve): ClusterEntry {
  const extension = mappingsAt(of, 'extensions').find(e => e['name'] === 'client.authentication.k8s.io/exec');
  return present<ClusterEntry>({
    name,
    server: textAt(of, 'server'),
    caData: textAt(of, 'certificate-authority-data'),
    caFile: at(textAt(of, 'certificate-authority')),
    skipTlsVerify: isTrueAt(of, 'insecure-skip-tls-verify'),
    tlsServerName: textAt(of, 'tls-server-name'),
    proxyUrl: textAt(of, 'proxy-url'),
    pluginConfig: extension?.['extension'],
  });
}

function readUser(name: string, of: Mapping, at: Resolve): UserEntry {
  const extra = mappingAt(of, 'as-user-extra');
  return present<UserEntry>({
    name,
    token: textAt(of, 'token'),
    tokenFile: at(textAt(of, 'tokenFile')),
    certData: textAt(of, 'client-certificate-data'),
    certFile: at(textAt(of, 'client-certificate')),
    keyData: textAt(of, 'client-key-data'),
    keyFile: at(textAt(of, 'client-key')),
    username: textAt(of, 'username'),
    password: textAt(of, 'password'),
    as: textAt(of, 'as'),
    asUid: textAt(of, 'as-uid'),
    asGroups: textsAt(of, 'as-groups'),
    asUserExtra: Object.fromEntries(Object.keys(extra).map(key => [key, textsAt(extra, key)])),
    plugin: isMapping(of['exec']) ? readPlugin(of['exec'], at) : undefined,
    authProvider: textAt(mappingAt(of, 'auth-provider'), 'name'),
  });
}

function readPlugin(of: Mapping, at: Resolve): PluginEntry {
  const command = textAt(of, 'command') ?? '';
  const env = mappingsAt(of, 'env').map(item => [textAt(item, 'name') ?? '', textAt(item, 'value') ?? '']);
  return present<PluginEntry>({
    apiVersion: textAt(of, 'apiVersion') ?? '',
    command: command.includes(path.sep) ? at(command)! : command,
    args: textsAt(of, 'args'),
    env: Object.fromEntries(env.filter(([variable]) => variable !== '')) as Record<string, string>,
    installHint: textAt(of, 'installHint'),
    provideClusterInfo: isTrueAt(of, 'provideClusterInfo'),
    interactiveMode: textAt(of, 'interactiveMode'),
  });
}

const readContext = (name: string, of: Mapping): ContextEntry =>
  present<ContextEntry>({
    name,
    cluster: textAt(of, 'cluster') ?? '',
    user: textAt(of, 'user'),
    namespace: textAt(of, 'namespace'),
  });
