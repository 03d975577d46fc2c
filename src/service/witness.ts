import type { LogRecord } from '../core/logRecord.ts';
import { relayMark, reportedKey } from '../core/skaffold.ts';
import { forgetOldest } from '../lib/forgetOldest.ts';
import { mappingAt } from '../lib/mapping.ts';
import { textOf } from '../proto/fields.ts';

/** So many containers are remembered. */
const MOST_KEYS = 20_000;

export interface WitnessOptions {
  /** Whether the pod watch has the container of a debugging event at the moment. */
  isWatched(key: string): boolean;
  /** Sources that are known to be event services of a Breakpod, perhaps this one. */
  readonly relays?: Iterable<string>;
}

/**
 * The pod watch and Skaffolds can tell of the same container, and readers of the service cannot tell their words apart: each
 * start and each end is passed on once. Where the pod watch looks, it alone is believed: Skaffold misses restarts in place,
 * and ends while it deploys.
 */
export class Witness {
  /** Who has told of the run that is on, by container. */
  private readonly tellers = new Map<string, Set<string>>();
  /** Containers whose end a Skaffold has told, and the pod watch not yet. */
  private readonly ended = new Set<string>();
  private readonly relays: Set<string>;
  private readonly isWatched: (key: string) => boolean;

  constructor({ isWatched, relays = [] }: WitnessOptions) {
    this.isWatched = isWatched;
    this.relays = new Set(relays);
  }

  /** Whether a record is news for readers. What a service has said is not said again: two that read each other would never end. */
  isNews(record: LogRecord): boolean {
    const { kind, source, body } = record;
    if (kind === 'metaEvent') this.meet(source, body);
    if (this.relays.has(source)) return false;
    if (kind !== 'debuggingContainerEvent') return true;
    const key = keyOf(body);
    const isStart = textOf(body, 'status') === 'Started';
    if (isSkaffold(source) && this.isWatched(key)) return false;
    return isStart ? this.started(key, source) : this.terminated(key, source);
  }

  /** Each stream begins with a meta event; another program can have taken over the port. */
  private meet(source: string, body: LogRecord['body']): void {
    if (relayMark in mappingAt(mappingAt(body, 'metadata'), 'additional')) this.relays.add(source);
    else this.relays.delete(source);
  }

  /** One who repeats it speaks of another process. */
  private started(key: string, source: string): boolean {
    this.ended.delete(key);
    const tellers = this.tellers.get(key) ?? new Set();
    const isNews = tellers.size === 0 || tellers.has(source);
    this.tellers.set(key, tellers.add(source));
    forgetOldest(this.tellers, MOST_KEYS);
    return isNews;
  }

  /** The pod watch knows; of several Skaffolds the last one counts. */
  private terminated(key: string, source: string): boolean {
    const tellers = this.tellers.get(key);
    tellers?.delete(source);
    if (isSkaffold(source)) {
      if ([...(tellers ?? [])].some(isSkaffold)) return false;
      this.ended.add(key);
      forgetOldest(this.ended, MOST_KEYS);
    } else if (this.ended.delete(key)) return false;
    this.tellers.delete(key);
    return true;
  }
}

const isSkaffold = (source: string): boolean => source.startsWith('skaffold:');

/** What a debugging event says of a container's identity. */
export const keyOf = (body: Readonly<Record<string, unknown>>): string =>
  reportedKey({
    namespace: textOf(body, 'namespace'),
    pod: textOf(body, 'podName'),
    container: textOf(body, 'containerName'),
  });
