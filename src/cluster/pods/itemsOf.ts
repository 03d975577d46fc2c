import { isMapping, type Mapping, mappingsAt } from '../../lib/mapping.ts';
import { textUpTo } from '../../lib/textUpTo.ts';
import type { KubeApi } from '../access.ts';

/** More is not read of a list. */
const BYTES = 1 << 20;

/** The items of a list of the API, none of what is no list. Throws `ApiError`, or the connection's error. */
export async function itemsOf(api: KubeApi, path: string, signal: AbortSignal): Promise<readonly Mapping[]> {
  const list: unknown = JSON.parse(await textUpTo(await api.get(path, signal), BYTES));
  return isMapping(list) ? mappingsAt(list, 'items') : [];
}
