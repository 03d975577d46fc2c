import { listOf } from '../pods/lists.ts';
import type { Pod } from '../pods/pod.ts';
import { mayBeListed } from './prefilter.ts';

/** A part of a list of pods. */
export interface Page {
  /** Only the pods that may be debuggable, unless the list was written in an unusual way. */
  readonly pods: readonly Pod[];
  readonly resourceVersion: string;
  /** Token of the next page; empty on the last. */
  readonly next: string;
}

interface PodList {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string } | null;
  readonly items?: readonly Pod[] | null;
}

/** Quotes inside JSON strings are escaped, so these bytes can only be structure; in a pod they do not occur. */
const itemStart = Buffer.from('},{"metadata":{');
const itemsStart = Buffer.from('"items":[{"metadata":{');

/** Parses a `PodList`, only those pods that may be debuggable. `words` are more words of such pods. Throws `SyntaxError` when it is none. */
export function parsePage(body: Buffer, words?: readonly string[]): Page {
  return parseByItems(body, words) ?? parseWhole(body.toString());
}

function parseWhole(text: string): Page {
  const list = JSON.parse(text) as PodList;
  if (!list || !Array.isArray(list.items ?? []) || !list.metadata) throw new SyntaxError('not a list of pods');
  return pageOf(list, listOf(list.items));
}

/** API servers write the list's metadata first and each pod's metadata first; `undefined` for any other order. */
function parseByItems(body: Buffer, words: readonly string[] | undefined): Page | undefined {
  const start = body.indexOf(itemsStart);
  const end = body.lastIndexOf(']}');
  if (start < 0 || end < start) return undefined;
  try {
    const list = JSON.parse(`${body.toString('utf8', 0, start)}"items":[]}`) as PodList;
    if (!list.metadata) return undefined;
    return pageOf(list, [...itemsOf(body, start + '"items":['.length, end, words)]);
  } catch {
    return undefined;
  }
}

function* itemsOf(body: Buffer, from: number, end: number, words: readonly string[] | undefined): Generator<Pod> {
  for (let start = from; start < end;) {
    const next = body.indexOf(itemStart, start);
    const stop = next < 0 ? end : next + 1;
    if (mayBeListed(body.toString('latin1', start, stop), words))
      yield JSON.parse(body.toString('utf8', start, stop)) as Pod;
    start = stop + 1;
  }
}

const pageOf = ({ metadata }: PodList, pods: readonly Pod[]): Page => ({
  pods,
  resourceVersion: metadata?.resourceVersion ?? '',
  next: metadata?.continue ?? '',
});
