import type { Attributes } from './users.ts';

/** A request taken apart, as the API server's RequestInfo does. */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly attributes: Attributes;
  readonly resource?: ResourcePath;
}

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** `url` is that of the request line; a malformed escape throws `URIError`. */
export function requestInfo(method: string, url: string): RequestInfo {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  const resource = resourceOf(pathname);
  if (!resource) return { method, path: pathname, query, attributes: { verb: method.toLowerCase(), path: pathname } };
  const { group, resource: kind, subresource, namespace, name } = resource;
  const attributes = {
    verb: verbOf(method, query, name),
    group,
    resource: kind,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  return { method, path: pathname, query, attributes, resource };
}

function verbOf(method: string, query: URLSearchParams, name: string | undefined): string {
  if (method === 'DELETE' && name === undefined) return 'deletecollection';
  if (method !== 'GET' && method !== 'HEAD') return VERBS[method] ?? method.toLowerCase();
  if (name !== undefined) return 'get';
  return isTrue(query.get('watch')) ? 'watch' : 'list';
}

/** A flag of the query, in the forms that Go's ParseBool takes; a flag without a value counts as set. */
export const isTrue = (value: string | null): boolean => value !== null && /^(1|t|true|)$/i.test(value);

function resourceOf(path: string): ResourcePath | undefined {
  const parts = path
    .split('/')
    .filter(part => part !== '')
    .map(decodeURIComponent);
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const group = core ? '' : parts[1];
  const [version, ...rest] = parts.slice(core ? 1 : 2);
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  const base = { group, version };
  if (rest[0] !== 'namespaces' || rest.length < 3) return { ...base, ...named(rest) };
  return { ...base, namespace: rest[1]!, ...named(rest.slice(2)) };
}

/** `pods`, `pods/NAME` or `pods/NAME/log`. A namespace itself is in its own scope, as RBAC has it. */
function named([resource = '', name, subresource]: readonly string[]) {
  return {
    resource,
    ...(name === undefined ? {} : { name }),
    ...(name !== undefined && resource === 'namespaces' ? { namespace: name } : {}),
    ...(subresource === undefined ? {} : { subresource }),
  };
}
