import type { Page } from './listPods.ts';
import type { ChangeType, StoredPod } from './podStore.ts';
import { POD_COLUMNS, podCells } from './podTable.ts';

/** The form in which a client wants pods: whole, or as rows of a table (kubectl's `get`). */
export interface PodEncoding {
  one(stored: StoredPod): string;
  list(page: Page): string;
  /** One line of a watch. */
  event(type: ChangeType, stored: StoredPod): string;
  bookmark(version: number, annotations?: Record<string, string>): string;
}

const HEAD = '{"kind":"Pod","apiVersion":"v1",';
const whole = ({ json }: StoredPod) => `${HEAD}${json.slice(1)}`;

/** JSON is made once per version of a pod, so that many watchers cost little. */
export const jsonEncoding: PodEncoding = {
  one: whole,
  list: page =>
    `{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(listMeta(page))},` +
    `"items":[${page.items.map(item => item.json).join(',')}]}\n`,
  event: (type, stored) => `{"type":"${type}","object":${whole(stored)}}\n`,
  bookmark: (version, annotations) =>
    `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', ...emptyPod(version, annotations) } })}\n`,
};

/** `include` says what a row carries beside its cells (`includeObject` of the query). */
export function tableEncoding(include: string): PodEncoding {
  const row = (stored: StoredPod) => ({ cells: podCells(stored.pod), ...rowObject(stored, include) });
  const table = (metadata: object, rows: readonly object[]) => ({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: POD_COLUMNS,
    rows,
  });
  const metaOf = (version: number) => ({ resourceVersion: String(version) });
  return {
    one: stored => JSON.stringify(table(metaOf(stored.version), [row(stored)])),
    list: page => JSON.stringify(table(listMeta(page), page.items.map(row))),
    event: (type, stored) => `${JSON.stringify({ type, object: table(metaOf(stored.version), [row(stored)]) })}\n`,
    bookmark: (version, annotations) => {
      const object = { ...PARTIAL, ...emptyPod(version, annotations) };
      return `${JSON.stringify({ type: 'BOOKMARK', object: table(metaOf(version), [{ cells: [], object }]) })}\n`;
    },
  };
}

const PARTIAL = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };

function rowObject({ pod }: StoredPod, include: string): object {
  if (include === 'None') return {};
  if (include === 'Object') return { object: { kind: 'Pod', apiVersion: 'v1', ...pod } };
  return { object: { ...PARTIAL, metadata: pod.metadata } };
}

const emptyPod = (version: number, annotations?: Record<string, string>) => ({
  metadata: { resourceVersion: String(version), creationTimestamp: null, ...(annotations ? { annotations } : {}) },
  spec: { containers: null },
  status: {},
});

const listMeta = (page: Page) => ({
  resourceVersion: String(page.version),
  ...(page.continue === undefined ? {} : { continue: page.continue }),
  ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
});
