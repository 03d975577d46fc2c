import type { PodScope } from './options.ts';

/** What is asked of the API server, as paths. */
export class PodPaths {
  private readonly path: string;
  private readonly selector: Readonly<Record<string, string>>;

  constructor({ namespace, labelSelector }: PodScope) {
    this.path = `/api/v1/${namespace ? `namespaces/${encodeURIComponent(namespace)}/` : ''}pods`;
    this.selector = labelSelector ? { labelSelector } : {};
  }

  /** One page of a list; everything at once without a limit. */
  list(limit: number | undefined, next: string): string {
    return this.with({ ...(limit ? { limit: String(limit) } : {}), ...(next ? { continue: next } : {}) });
  }

  /** A watch that begins with what there is (KEP-3157). */
  streamingList(timeoutSeconds: number): string {
    return this.with({ ...watch(timeoutSeconds), sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' });
  }

  /** A watch that continues from a version. */
  watch(resourceVersion: string, timeoutSeconds: number): string {
    return this.with({ ...watch(timeoutSeconds), resourceVersion });
  }

  private with(query: Readonly<Record<string, string>>): string {
    const text = new URLSearchParams({ ...query, ...this.selector }).toString();
    return text ? `${this.path}?${text}` : this.path;
  }
}

const watch = (timeoutSeconds: number) => ({
  watch: 'true',
  allowWatchBookmarks: 'true',
  timeoutSeconds: String(timeoutSeconds),
});
