import type { IncomingMessage } from 'node:http';

/** TLS options of one request. They belong on the request, not on an agent: VS Code replaces agents. */
export interface TlsOptions {
  readonly ca?: Buffer | string;
  readonly cert?: Buffer | string;
  readonly key?: Buffer | string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** What a request needs to be let in. */
export interface Credentials {
  /** A list is a header line for each of its items, as `Impersonate-Group` needs it; joined they would be one group. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: TlsOptions;
}

/** One context of a kubeconfig, fixed: a cluster, a user, a namespace. */
export interface Access {
  readonly context: string;
  /** As `clusterId` makes it. */
  readonly cluster: string;
  readonly server: URL;
  /** The context's namespace, `default` when it names none. */
  readonly namespace: string;
  /** `proxy-url` of the cluster entry, or of the environment. */
  readonly proxy?: URL;
  /** Current credentials; runs a credential plugin when needed (one at a time). Throws `UserError`. */
  credentials(signal?: AbortSignal): Promise<Credentials>;
  /** Drops what the server refused with 401, so that `credentials` asks anew. */
  forget(refused: Credentials): void;
}

/** An answer that was not what the caller wanted; `status` is the HTTP status, `reason` that of a Kubernetes Status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: string | undefined;
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** A 401 to a login that has nothing newer to offer: its file was read again, and no plugin was run. */
  readonly isSameLogin: boolean;

  constructor(
    status: number,
    message: string,
    options: { reason?: string | undefined; retryAfterMs?: number; isSameLogin?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
    this.isSameLogin = options.isSameLogin ?? false;
  }
}

/** Asks the API server. */
export interface KubeApi {
  readonly access: Access;
  /**
   * GET; resolves with the response when its status is 200. One new login and try at 401. Throws `ApiError` with the
   * server's own words, or the connection's error.
   */
  get(path: string, signal: AbortSignal): Promise<IncomingMessage>;
}
