import { ApiError } from '../access.ts';
import type { Pod } from '../pods/pod.ts';

/** One event of a watch (Kubernetes API: `WatchEvent`). */
export type Frame =
  | { readonly kind: 'pod'; readonly deleted: boolean; readonly pod: Pod; readonly resourceVersion: string }
  /** `complete`: the objects that existed when the watch began have all been sent. */
  | { readonly kind: 'bookmark'; readonly resourceVersion: string; readonly complete: boolean };

interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number } | null;
}

/** Parses one line of a watch. Throws `ApiError` for an ERROR event, `SyntaxError` for what is not an event of a pod. */
export function parseFrame(json: string): Frame {
  const { type, object } = (JSON.parse(json) ?? {}) as { type?: string; object?: (Pod & Status) | null };
  if (type === 'ERROR') throw errorOf(object ?? {});
  const metadata = object?.metadata;
  const resourceVersion = metadata?.resourceVersion ?? '';
  if (type === 'BOOKMARK')
    return {
      kind: 'bookmark',
      resourceVersion,
      complete: metadata?.annotations?.['k8s.io/initial-events-end'] === 'true',
    };
  if ((type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') || !metadata?.name)
    throw new SyntaxError('not an event of a pod');
  return { kind: 'pod', deleted: type === 'DELETED', pod: object!, resourceVersion };
}

function errorOf({ code = 500, reason, message, details }: Status): ApiError {
  const seconds = details?.retryAfterSeconds;
  return new ApiError(code, message || reason || 'the watch reports an error', {
    ...(reason ? { reason } : {}),
    ...(seconds ? { retryAfterMs: seconds * 1000 } : {}),
  });
}
