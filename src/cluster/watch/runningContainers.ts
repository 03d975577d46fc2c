import type { Container } from '../../core/model.ts';
import type { KubeApi } from '../access.ts';
import { detect } from '../detect/detect.ts';
import { listingAll } from '../detect/listingAll.ts';
import { toUserError } from '../http/problems.ts';
import { decodePod } from '../pods/decoder.ts';
import { bodyOf } from './body.ts';
import { watchLimits } from './options.ts';
import { parsePage } from './pages.ts';
import { PodPaths } from './podPaths.ts';

/** In each pod. */
const anyWord = ['"'];

/** All containers that run now in some namespaces, or in the whole cluster: also those that no debugger is set up for. Throws `UserError`. */
export async function runningContainers(
  api: KubeApi,
  namespaces: readonly string[] | 'all',
  signal: AbortSignal,
): Promise<readonly Container[]> {
  const scopes = namespaces === 'all' ? [{}] : namespaces.map(namespace => ({ namespace }));
  try {
    const lists = await Promise.all(scopes.map(scope => listed(api, new PodPaths(scope), signal)));
    return lists.flat().filter(({ phase }) => phase.kind === 'running');
  } catch (error) {
    if (signal.aborted) throw error;
    throw toUserError(error, api.access);
  }
}

async function listed(api: KubeApi, paths: PodPaths, signal: AbortSignal): Promise<readonly Container[]> {
  const containers: Container[] = [];
  for (let next: string | undefined = ''; next !== undefined;) {
    const response = await api.get(paths.list(watchLimits.pageSize, next), signal);
    const body = await bodyOf(response, { idleMs: () => watchLimits.answerMs, signal });
    const page = parsePage(body, anyWord);
    const options = { cluster: api.access.cluster, detect: listingAll(detect) };
    containers.push(...page.pods.flatMap(pod => decodePod(pod, options)));
    next = page.next || undefined;
  }
  return containers;
}
