import type { LogRecord } from '../core/logRecord.ts';
import { textOf } from './fields.ts';

/** So many containers are remembered as the pod watch's. */
const MOST_KEYS = 20_000;

/**
 * The pod watch and a Skaffold can both tell of a container, and readers of the service cannot tell their words apart: each
 * start and each end is passed on once. What the pod watch has spoken of is its own from then on; Skaffold misses restarts
 * in place, and ends while it deploys.
 */
export class Witness {
  private readonly watched = new Set<string>();
  private readonly startedBySkaffold = new Set<string>();

  /** Whether a record is news for readers. */
  isNews({ kind, source, body }: LogRecord): boolean {
    if (kind !== 'debuggingContainerEvent') return true;
    const key = keyOf(body);
    const isStart = textOf(body, 'status') === 'Started';
    if (source.startsWith('skaffold:')) return this.skaffoldSays(key, isStart);
    this.remember(key);
    return !(this.startedBySkaffold.delete(key) && isStart);
  }

  private skaffoldSays(key: string, isStart: boolean): boolean {
    if (this.watched.has(key)) return false;
    if (isStart) this.startedBySkaffold.add(key);
    else this.startedBySkaffold.delete(key);
    return true;
  }

  private remember(key: string): void {
    this.watched.delete(key); // the latest last
    this.watched.add(key);
    if (this.watched.size > MOST_KEYS) this.watched.delete(this.watched.values().next().value!);
  }
}

/** What a debugging event says of a container's identity. */
export const keyOf = (body: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([textOf(body, 'namespace'), textOf(body, 'podName'), textOf(body, 'containerName')]);
