import { json } from 'node:stream/consumers';
import { ApiError } from '../cluster/access.ts';
import { toUserError } from '../cluster/http/problems.ts';
import type { Pod } from '../cluster/pods/pod.ts';
import { UserError } from '../core/errors.ts';
import type { Connection } from './connect.ts';
import { UsageError } from './options.ts';

/** One pod of the one namespace that is chosen. Throws `UserError`, and `UsageError` for several namespaces. */
export async function podNamed({ api, namespaces }: Connection, name: string, signal: AbortSignal): Promise<Pod> {
  const namespace = onlyNamespace(namespaces);
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
  try {
    return (await json(await api.get(path, signal))) as Pod;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw podNotFound(name, namespace, error);
    throw toUserError(error, api.access);
  }
}

const podNotFound = (pod: string, namespace: string, cause: unknown) =>
  new UserError('pod-not-found', `There is no pod "${pod}" in the namespace "${namespace}".`, {
    cause,
    remedy: 'The command "watch" lists the pods that can be debugged; --namespace looks elsewhere.',
  });

/** The namespace, where a command is about one pod. */
export function onlyNamespace(namespaces: Connection['namespaces']): string {
  const [namespace, ...more] = namespaces;
  if (namespace === undefined || more.length > 0) throw new UsageError('this command takes one --namespace');
  return namespace;
}
