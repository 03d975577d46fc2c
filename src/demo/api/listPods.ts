import type { PodStore, StoredPod } from './podStore.ts';
import { podKey } from './objects.ts';
import type { PodFilter } from './selectors.ts';
import { badRequest, expired, invalidOptions, tooLargeVersion } from './status.ts';

/** One page of a list. */
export interface Page {
  readonly version: number;
  readonly items: readonly StoredPod[];
  readonly continue?: string;
  /** Only known without selectors. */
  readonly remaining?: number;
}

const PAGE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** Lists by the rules of `resourceVersion`, `resourceVersionMatch`, `limit` and `continue`; throws a `StatusError`. */
export function listPods(store: PodStore, filter: PodFilter, query: URLSearchParams): Page {
  const start = startOf(store, query);
  const matching = start.all.filter(stored => filter(stored.pod));
  const rest = start.after === '' ? matching : matching.filter(stored => keyOf(stored) > start.after);
  const limit = numberOf(query, 'limit') ?? 0;
  if (limit === 0 || rest.length <= limit) return { version: start.version, items: rest };
  const items = rest.slice(0, limit);
  const hasSelector = query.get('labelSelector') || query.get('fieldSelector');
  return {
    version: start.version,
    items,
    continue: encode({ version: start.version, after: keyOf(items.at(-1)!) }),
    ...(hasSelector ? {} : { remaining: rest.length - limit }),
  };
}

interface Start {
  readonly version: number;
  readonly all: readonly StoredPod[];
  /** Key of the last item of the page before. */
  readonly after: string;
}

function startOf(store: PodStore, query: URLSearchParams): Start {
  const token = query.get('continue') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const asked = numberOf(query, 'resourceVersion');
  if (token !== '') return continued(store, token, asked);
  if (match !== '' && asked === undefined)
    throw invalidOptions(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden unless resourceVersion is provided',
    );
  if (asked !== undefined && asked > store.version) throw tooLargeVersion(asked, store.version);
  if (match !== 'Exact') return { version: store.version, all: store.snapshot(), after: '' };
  const all = store.snapshotAt(asked!);
  if (!all) throw expired('The resourceVersion for the provided list is too old.');
  return { version: asked!, all, after: '' };
}

function continued(store: PodStore, token: string, asked: number | undefined): Start {
  if (asked !== undefined && asked !== 0)
    throw badRequest('specifying resource version is not allowed when using continue');
  const { version, after } = decode(token);
  if (version === -1) return { version: store.version, all: store.snapshot(), after };
  const all = store.snapshotAt(version);
  if (all) return { version, all, after };
  const error = expired(PAGE_EXPIRED);
  error.status.metadata = { continue: encode({ version: -1, after }) }; // goes on with what is there now
  throw error;
}

const keyOf = ({ pod }: StoredPod) => podKey(pod.metadata.namespace, pod.metadata.name);

const encode = ({ version, after }: { version: number; after: string }): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: after })).toString('base64url');

function decode(token: string): { version: number; after: string } {
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: unknown; start: unknown };
    if (typeof rv === 'number' && typeof start === 'string') return { version: rv, after: start };
  } catch {
    // not one of ours: refused below
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

/** A whole number of the query, `undefined` when it is absent. Throws 400. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name) ?? '';
  if (value === '') return undefined;
  if (!/^\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing "${value}": invalid syntax`);
  return Number(value);
}
