import { type Failure, failureText } from '../../core/errors.ts';
import type { DebugEvent, SourceName } from '../../core/model.ts';
import { merge } from '../../lib/merge.ts';
import type { PodScope, PodSource, WatchOptions } from './options.ts';
import { podSource } from './podWatch.ts';
import { forbiddenCode } from './problems.ts';

export interface ScopesOptions extends WatchOptions {
  /** Namespaces that were chosen; the whole cluster when there are none. */
  readonly namespaces?: readonly string[];
  /** Watched in place of the whole cluster where that is not allowed. */
  readonly fallback: readonly string[];
  readonly labelSelector?: string;
}

/** Name of the source that watches a namespace, or the whole cluster. */
export const podSourceName = (namespace?: string): SourceName => (namespace ? `pods/${namespace}` : 'pods');

/**
 * Watches the chosen namespaces, one watch each, or the whole cluster. Where that is not allowed it says once which
 * right is missing and watches the namespaces of `fallback`; a right that is taken away later may come back, and until
 * then the rows stay.
 */
export function watchScopes(options: ScopesOptions): PodSource {
  const shared = { ...options, memory: options.memory ?? { refusesStreaming: false } };
  return signal => (shared.namespaces?.length ? each(shared, shared.namespaces, signal) : whole(shared, signal));
}

type Events = AsyncGenerator<DebugEvent, void, void>;

async function* whole(options: ScopesOptions, signal: AbortSignal): Events {
  const source = podSourceName();
  let hasWatched = false;
  for await (const event of sourceOf(options)(signal)) {
    const refusal = refusalIn(event);
    hasWatched ||= event.kind === 'source' && event.state.kind === 'watching';
    if (!refusal || hasWatched || options.fallback.length === 0) {
      yield event;
      continue;
    }
    const names = options.fallback.join(', ');
    const text = `${failureText(refusal)} Watching only: ${names}.`;
    yield { kind: 'notice', source, level: 'warn', text };
    yield { kind: 'source-removed', source };
    return yield* each(options, options.fallback, signal);
  }
}

async function* each(options: ScopesOptions, namespaces: readonly string[], signal: AbortSignal): Events {
  const stop = new AbortController();
  const all = AbortSignal.any([signal, stop.signal]);
  try {
    const sources = [...new Set(namespaces)].map(namespace => sourceOf(options, namespace)(all));
    for await (const event of merge(sources)) {
      if (signal.aborted) return;
      yield event;
    }
  } finally {
    stop.abort();
  }
}

function sourceOf(options: ScopesOptions, namespace?: string): PodSource {
  const { labelSelector } = options;
  const scope: PodScope = { ...(namespace ? { namespace } : {}), ...(labelSelector ? { labelSelector } : {}) };
  return podSource({ ...options, scope, source: podSourceName(namespace) });
}

/** The failure, when a source stopped for want of a right. */
function refusalIn(event: DebugEvent): Failure | undefined {
  if (event.kind !== 'source' || event.state.kind !== 'stopped') return undefined;
  return event.state.failure.code === forbiddenCode ? event.state.failure : undefined;
}
