import { setTimeout as delay } from 'node:timers/promises';

/** Limits of a growing wait between attempts, in milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Wait before retry `attempt` (from 0): doubles up to the cap, then jittered downwards by up to a half. */
export const backoffMs = (attempt: number, { firstMs, mostMs }: BackoffLimits, random = Math.random): number =>
  Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30)) * (0.5 + random() / 2);

/** Waits, or returns early (without an error) when `signal` aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
