/** A `clusters` entry. Paths are absolute, `caData` is base64. */
export interface ClusterEntry {
  readonly name: string;
  readonly server?: string;
  readonly caData?: string;
  readonly caFile?: string;
  readonly skipTlsVerify: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  /** The extension `client.authentication.k8s.io/exec`, which is handed to credential plugins. */
  readonly pluginConfig?: unknown;
}

/** The `exec` part of a user: a credential plugin. */
export interface PluginEntry {
  readonly apiVersion: string;
  /** Absolute when the file names it with a relative path; a bare name is found on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode?: string;
}

/** A `users` entry. Paths are absolute, `certData` and `keyData` are base64. */
export interface UserEntry {
  readonly name: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly certData?: string;
  readonly certFile?: string;
  readonly keyData?: string;
  readonly keyFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly asUid?: string;
  readonly asGroups: readonly string[];
  readonly asUserExtra: Readonly<Record<string, readonly string[]>>;
  readonly plugin?: PluginEntry;
  /** Name of an `auth-provider`, the kind of login that credential plugins have replaced. */
  readonly authProvider?: string;
}

/** A `contexts` entry. */
export interface ContextEntry {
  readonly name: string;
  readonly cluster: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** One kubeconfig file, or several that are merged. */
export interface Entries {
  readonly currentContext?: string;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

/**
 * Several files as one: the first that names a current context, a cluster, a user or a context wins, whole entries
 * (client-go `tools/clientcmd/loader.go`, Load).
 */
export function mergeEntries(files: readonly Entries[]): Entries {
  const currentContext = files.map(file => file.currentContext).find(Boolean);
  return {
    ...(currentContext ? { currentContext } : {}),
    clusters: firstOfEach(files.map(file => file.clusters)),
    users: firstOfEach(files.map(file => file.users)),
    contexts: firstOfEach(files.map(file => file.contexts)),
  };
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  const merged = new Map<string, T>();
  for (const [name, entry] of maps.flatMap(map => [...map])) if (!merged.has(name)) merged.set(name, entry);
  return merged;
}
