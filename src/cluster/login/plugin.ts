import { DeadlineError, within } from '../../lib/deadline.ts';
import type { ClusterEntry, PluginEntry } from '../kubeconfig/entries.ts';
import { isMapping, mappingAt, textAt } from '../../lib/mapping.ts';
import { type Command, commandOf, type Environment } from '../../lib/command.ts';
import { pluginFailed, pluginMissing, pluginNeedsTerminal } from './problems.ts';
import { type Ended, run } from '../../lib/run.ts';
import { Shared } from './shared.ts';

const LIMIT_MS = 60_000;
/** A credential is renewed this long before it expires, so that it does not expire on the way. */
const SLACK_MS = 10_000;
const VERSIONS: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** What a plugin gave: a token, a client certificate with its key (PEM), or both. */
export interface PluginCredential {
  readonly token?: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Milliseconds of the epoch. */
  readonly expiresMs?: number;
}

/**
 * A credential plugin by the ExecCredential protocol (client-go `plugin/pkg/client/auth/exec`): runs once for all who
 * ask, and again when its credential expires or is refused.
 */
export class Plugin {
  private known: PluginCredential | undefined;
  private readonly entry: PluginEntry;
  private readonly cluster: ClusterEntry;
  private readonly caData: () => string | undefined;
  private readonly env: Environment;
  private readonly login = new Shared(async signal => (this.known = await this.ask(signal)));

  /** `caData` gives the cluster's CA certificates in base64. */
  constructor(entry: PluginEntry, cluster: ClusterEntry, caData: () => string | undefined, env: Environment) {
    this.entry = entry;
    this.cluster = cluster;
    this.caData = caData;
    this.env = env;
  }

  /** The credential, the same object until it is renewed. Throws `UserError`, or the reason of `signal`. */
  async credential(signal?: AbortSignal): Promise<PluginCredential> {
    const { known } = this;
    if (known && (known.expiresMs === undefined || known.expiresMs - SLACK_MS > Date.now())) return known;
    return this.login.get(signal);
  }

  forget(refused: PluginCredential): void {
    if (this.known === refused) this.known = undefined;
  }

  private async ask(signal: AbortSignal): Promise<PluginCredential> {
    const { entry } = this;
    const command = this.command();
    try {
      return credentialOf(entry, await within(LIMIT_MS, signal, s => this.start(command, s)));
    } catch (error) {
      if (error instanceof DeadlineError) throw pluginFailed(entry, 'did not end within a minute', error);
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw pluginMissing(entry, error);
      if (code === 'EACCES') throw pluginFailed(entry, 'cannot be started', error);
      throw error;
    }
  }

  private start(command: Command, signal: AbortSignal): Promise<Ended> {
    const info = JSON.stringify(this.info());
    return run(command, { ...this.env, ...this.entry.env, KUBERNETES_EXEC_INFO: info }, signal);
  }

  private command(): Command {
    const { entry } = this;
    if (!entry.command) throw pluginFailed(entry, 'has no command in the kubeconfig', undefined);
    if (!VERSIONS.includes(entry.apiVersion))
      throw pluginFailed(entry, 'speaks an unknown version of the protocol', `apiVersion: ${entry.apiVersion}`);
    if (entry.interactiveMode === 'Always') throw pluginNeedsTerminal(entry);
    const command = commandOf(entry.command, entry.args, { ...this.env, ...entry.env });
    if (!command) throw pluginMissing(entry);
    return command;
  }

  private info(): unknown {
    const { apiVersion, provideClusterInfo } = this.entry;
    const spec = { interactive: false, ...(provideClusterInfo ? { cluster: this.clusterInfo() } : {}) };
    return { kind: 'ExecCredential', apiVersion, spec };
  }

  private clusterInfo(): unknown {
    const { server, tlsServerName, skipTlsVerify, proxyUrl, pluginConfig } = this.cluster;
    return {
      server,
      'tls-server-name': tlsServerName,
      ...(skipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
      'certificate-authority-data': this.caData(),
      'proxy-url': proxyUrl,
      config: pluginConfig ?? null,
    };
  }
}

function credentialOf(entry: PluginEntry, { exitCode, stdout, stderr }: Ended): PluginCredential {
  if (exitCode !== 0) {
    const end = exitCode === undefined ? 'was killed' : `failed with exit code ${exitCode}`;
    throw pluginFailed(entry, end, stderr);
  }
  const answer = parseAnswer(entry, stdout, stderr);
  if (answer['kind'] !== 'ExecCredential') throw pluginFailed(entry, 'did not answer with an ExecCredential', stderr);
  if (answer['apiVersion'] !== entry.apiVersion)
    throw pluginFailed(entry, `should answer as ${entry.apiVersion}`, `apiVersion: ${textAt(answer, 'apiVersion')}`);
  const status = mappingAt(answer, 'status');
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map(name => textAt(status, name));
  if (!token && !(cert && key))
    throw pluginFailed(entry, 'gave neither a token nor a certificate with its key', stderr);
  const expiresMs = Date.parse(textAt(status, 'expirationTimestamp') ?? '');
  return {
    ...(token ? { token } : {}),
    ...(cert && key ? { certificate: { cert, key } } : {}),
    ...(Number.isNaN(expiresMs) ? {} : { expiresMs }),
  };
}

function parseAnswer(entry: PluginEntry, stdout: string, stderr: string) {
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    throw pluginFailed(entry, 'did not answer with JSON', stderr); // never its output: that may hold half a token
  }
  if (!isMapping(answer)) throw pluginFailed(entry, 'did not answer with a JSON object', stderr);
  return answer;
}
