import { json } from 'node:stream/consumers';
import { toUserError } from '../cluster/http/problems.ts';
import type { Pod } from '../cluster/pods/pod.ts';
import type { Connection } from './connect.ts';
import { UsageError } from './options.ts';

/** One pod of the one namespace that is chosen. Throws `UserError`, and `UsageError` for several namespaces. */
export async function podNamed({ api, namespaces }: Connection, name: string, signal: AbortSignal): Promise<Pod> {
  const namespace = onlyNamespace(namespaces);
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
  try {
    return (await json(await api.get(path, signal))) as Pod;
  } catch (error) {
    throw toUserError(error, api.access);
  }
}

/** The namespace, where a command is about one pod. */
export function onlyNamespace(namespaces: Connection['namespaces']): string {
  const [namespace, ...more] = namespaces;
  if (namespace === undefined || more.length > 0) throw new UsageError('this command takes one --namespace');
  return namespace;
}
