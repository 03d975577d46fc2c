import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { StatusError, unauthorized } from './status.ts';

/** What a request wants to do, in the terms of Kubernetes' authorization. */
export type Attributes = Readonly<
  | { verb: string; path: string }
  | { verb: string; group: string; resource: string; subresource?: string; namespace?: string; name?: string }
>;

/** Verbs on one resource (`pods`, `pods/log`, …; `*` for each), in one namespace or everywhere. */
export interface Rule {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
  readonly namespace?: string;
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly rules: readonly Rule[];
}

const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'], rules: [] };
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/version', '/healthz', '/livez', '/readyz']);

/** Who may log in, and with what. */
export class Users {
  private readonly byName = new Map<string, User>();
  private readonly byToken = new Map<string, User>();

  /** A user who logs in with a client certificate of this name. */
  add(user: User): void {
    this.byName.set(user.name, user);
  }

  /** A new token of a user; the ones before stay good. */
  addToken(user: User): string {
    const token = randomBytes(24).toString('base64url');
    this.byToken.set(digest(token), user);
    return token;
  }

  /** Makes a token worthless, as its end of life does: requests get 401. */
  revokeToken(token: string): void {
    this.byToken.delete(digest(token));
  }

  /** The user of a request; without any credentials the anonymous one. Throws 401 for wrong credentials. */
  authenticate(request: IncomingMessage): User {
    const socket = request.socket as TLSSocket;
    const subject = socket.getPeerCertificate().subject as { CN?: string } | undefined;
    if (subject) {
      const user = socket.authorized ? this.byName.get(subject.CN ?? '') : undefined;
      if (!user) throw unauthorized();
      return user;
    }
    const header = request.headers.authorization;
    if (header === undefined) return ANONYMOUS;
    const [, token] = /^Bearer\s+(\S+)$/i.exec(header) ?? [];
    const user = token === undefined ? undefined : this.byToken.get(digest(token));
    if (!user) throw unauthorized();
    return user;
  }
}

/** Looked up by digest, so that the time of a look-up says nothing about tokens. */
const digest = (token: string) => createHash('sha256').update(token).digest('hex');

export function isAllowed(user: User, attributes: Attributes): boolean {
  if (user.groups.includes('system:masters')) return true;
  if ('path' in attributes) return PUBLIC_PATHS.has(attributes.path) || user !== ANONYMOUS;
  if (attributes.resource === 'selfsubjectaccessreviews') return user !== ANONYMOUS;
  const { verb, namespace, resource, subresource } = attributes;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  return user.rules.some(
    rule =>
      (rule.namespace === undefined || rule.namespace === namespace) &&
      (rule.verbs.includes('*') || rule.verbs.includes(verb)) &&
      (rule.resources.includes('*') || rule.resources.includes(full)),
  );
}

/** Throws 403 in the API server's words (apiserver `pkg/endpoints/handlers/responsewriters/errors.go`). */
export function authorize(user: User, attributes: Attributes): void {
  if (isAllowed(user, attributes)) return;
  if ('path' in attributes)
    throw forbidden(`forbidden: User "${user.name}" cannot ${attributes.verb} path "${attributes.path}"`, {});
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const kind = group === '' ? resource : `${resource}.${group}`;
  const subject = name === undefined ? `${kind} is` : `${kind} "${name}" is`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const details = { ...(name === undefined ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource };
  throw forbidden(
    `${subject} forbidden: User "${user.name}" cannot ${verb} resource "${full}" in API group "${group}" ${scope}`,
    details,
  );
}

const forbidden = (message: string, details: Record<string, unknown>) =>
  new StatusError(403, 'Forbidden', message, details);
