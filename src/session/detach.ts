import type { Children } from '../core/owners.ts';
import type { Say } from './output.ts';
import type { SessionParts } from './parts.ts';
import { seconds } from './words.ts';

/** How long debuggers may take to leave, in milliseconds. */
const detachMs = 2000;

/** Ends all debuggers of a session, and says which of them are late; attaches no more. Goes on without them when `given` aborts. */
export async function detach(
  children: Children | undefined,
  sleep: SessionParts['sleep'],
  say: Say,
  given?: AbortSignal,
): Promise<void> {
  if (!children) return;
  children.close();
  // Twice the limit: whoever keeps it tells the names.
  const all = children.detachAll(detachMs).catch(() => ['a debugger']);
  const late = (await orAfter(all, 2 * detachMs, sleep, given)) ?? (given?.aborted ? [] : ['debuggers']);
  if (late.length > 0) say(`Not detached within ${seconds(detachMs)}: ${late.join(', ')}. Going on without.`, 'stderr');
}

/** What the work gives, or nothing when the time is over first, or `given` aborts. */
export async function orAfter<T>(
  work: Promise<T>,
  ms: number,
  sleep: SessionParts['sleep'],
  given?: AbortSignal,
): Promise<T | undefined> {
  const done = new AbortController();
  const signal = given ? AbortSignal.any([given, done.signal]) : done.signal;
  try {
    return await Promise.race([work, sleep(ms, signal).then(() => undefined)]);
  } finally {
    done.abort();
  }
}
