import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../core/errors.ts';
import type { Credentials } from '../access.ts';
import type { ClusterEntry, UserEntry } from '../kubeconfig/entries.ts';
import type { Environment } from '../../lib/command.ts';
import { readCredentials } from './files.ts';
import { Plugin, type PluginCredential } from './plugin.ts';
import { loginUnreadable } from './problems.ts';
import { Shared } from './shared.ts';

/** Token and certificate files are read again after this time, as client-go does (`transport/token_source.go`). */
const REREAD_MS = 60_000;

/**
 * The credentials of one user at one cluster. Unchanged credentials, and unchanged TLS options in changed ones, stay
 * the same object: connections and TLS sessions are kept by them.
 */
export class Login {
  private read: { credentials: Credentials; atMs: number } | undefined;
  private made: { files: Credentials; plugin: PluginCredential | undefined; credentials: Credentials } | undefined;
  private readonly context: string;
  private readonly cluster: ClusterEntry;
  private readonly user: UserEntry;
  private readonly plugin: Plugin | undefined;
  private readonly reading = new Shared(() => this.readFiles());

  constructor(context: string, cluster: ClusterEntry, user: UserEntry, env: Environment) {
    this.context = context;
    this.cluster = cluster;
    this.user = user;
    if (user.plugin) this.plugin = new Plugin(user.plugin, cluster, () => this.caData(), env);
  }

  /** Throws `UserError`, or the reason of `signal`. */
  async credentials(signal?: AbortSignal): Promise<Credentials> {
    const files = await this.files(signal);
    const plugin = await this.plugin?.credential(signal);
    if (this.made?.files !== files || this.made.plugin !== plugin)
      this.made = { files, plugin, credentials: plugin ? combine(files, plugin) : files };
    return this.made.credentials;
  }

  /** Asks the plugin and the files anew next time, unless that has happened since `refused` was given out. */
  forget(refused: Credentials): void {
    if (this.made?.credentials !== refused) return;
    if (this.read) this.read.atMs = -Infinity;
    if (this.made.plugin) this.plugin?.forget(this.made.plugin);
  }

  private async files(signal: AbortSignal | undefined): Promise<Credentials> {
    if (this.read && Date.now() - this.read.atMs < REREAD_MS) return this.read.credentials;
    return this.reading.get(signal);
  }

  private async readFiles(): Promise<Credentials> {
    const before = this.read?.credentials;
    try {
      const next = await readCredentials(this.cluster, this.user);
      this.read = { credentials: keepEqual(before, next), atMs: Date.now() };
    } catch (error) {
      // A file that is being replaced can be missing for a moment: what was read last still counts.
      if (!before) throw error instanceof UserError ? error : loginUnreadable(this.context, error);
      this.read = { credentials: before, atMs: Date.now() };
    }
    return this.read.credentials;
  }

  private caData(): string | undefined {
    const { ca } = this.read?.credentials.tls ?? {};
    return ca && Buffer.from(ca).toString('base64');
  }
}

/** What the kubeconfig says itself wins over the plugin's token, as for kubectl. */
const combine = ({ headers, tls }: Credentials, { token, certificate }: PluginCredential): Credentials => ({
  headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
  tls: certificate ? { ...tls, ...certificate } : tls,
});

function keepEqual(before: Credentials | undefined, next: Credentials): Credentials {
  if (!before) return next;
  const headers = isDeepStrictEqual(before.headers, next.headers) ? before.headers : next.headers;
  const tls = isDeepStrictEqual(before.tls, next.tls) ? before.tls : next.tls;
  return headers === before.headers && tls === before.tls ? before : { headers, tls };
}
