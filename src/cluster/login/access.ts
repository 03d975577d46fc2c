import { clusterId } from '../../core/identity.ts';
import type { Access, Credentials } from '../access.ts';
import { proxyFor } from '../http/proxy.ts';
import type { ClusterEntry, ContextEntry, UserEntry } from '../kubeconfig/entries.ts';
import type { Kubeconfig } from '../kubeconfig/load.ts';
import { contextBroken, contextMissing, noContext } from '../kubeconfig/problems.ts';
import { lacksImpersonatedName } from './impersonation.ts';
import { Login } from './login.ts';
import { loginOutdated } from './problems.ts';

/**
 * The access by one context, the current one when none is named. It stays with what the kubeconfig said when it was
 * loaded. Throws `UserError` when the context cannot be used; other contexts do not matter.
 */
export function accessOf(kubeconfig: Kubeconfig, contextName?: string): Access {
  const context = contextOf(kubeconfig, contextName ?? kubeconfig.currentContext);
  const cluster = clusterOf(kubeconfig, context);
  const server = serverOf(context, cluster);
  const proxy = proxyFor(server, cluster.proxyUrl, kubeconfig.env);
  const login = new Login(context.name, cluster, userOf(kubeconfig, context, server), kubeconfig.env);
  return {
    context: context.name,
    cluster: clusterId(server.href, context.name),
    server,
    namespace: context.namespace ?? 'default',
    ...(proxy ? { proxy } : {}),
    credentials: signal => login.credentials(signal),
    forget: (refused: Credentials) => login.forget(refused),
  };
}

function contextOf({ contexts }: Kubeconfig, name: string | undefined): ContextEntry {
  if (!name) throw noContext([...contexts.keys()]);
  const context = contexts.get(name);
  if (!context) throw contextMissing(name);
  return context;
}

function clusterOf({ clusters }: Kubeconfig, { name, cluster }: ContextEntry): ClusterEntry {
  const entry = clusters.get(cluster);
  if (!entry) throw contextBroken(name, cluster ? `there is no cluster "${cluster}".` : 'it names no cluster.');
  return entry;
}

/** A bare host is http for kubectl, whatever is said about TLS (client-go `rest.DefaultServerURL`). */
function serverOf({ name }: ContextEntry, { name: cluster, server }: ClusterEntry): URL {
  if (!server) throw contextBroken(name, `the cluster "${cluster}" has no server.`);
  const url = URL.parse(server.includes('://') ? server : `http://${server}`);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw contextBroken(name, `the server "${server}" of the cluster "${cluster}" is no http or https URL.`);
  return url;
}

/** A context without a user logs in as nobody, and so does any without TLS: kubectl sends no secret in plain text. */
function userOf({ users }: Kubeconfig, { name, user }: ContextEntry, server: URL): UserEntry {
  const entry = user ? users.get(user) : { name: '', asGroups: [], asUserExtra: {} };
  if (!entry) throw contextBroken(name, `there is no user "${user}".`);
  if (server.protocol === 'http:') return namesOf(entry);
  if (entry.authProvider && !entry.plugin) throw loginOutdated(name, entry.authProvider);
  if (lacksImpersonatedName(entry))
    throw contextBroken(name, 'as-groups, as-uid and as-user-extra need "as" beside them.');
  return entry;
}

const namesOf = ({ name, as, asUid, asGroups, asUserExtra }: UserEntry): UserEntry => ({
  name,
  ...(as ? { as } : {}),
  ...(asUid ? { asUid } : {}),
  asGroups,
  asUserExtra,
});
