import type { LogDraft } from './logRecord.ts';
import type { State } from './model.ts';

/** The state after an event (the same object when nothing changed), and what the log has to say. */
export type Reduced = Readonly<{ state: State; drafts: readonly LogDraft[] }>;

/** Nothing for the log. */
export const quiet = (state: State): Reduced => ({ state, drafts: [] });

/** A copy with one entry more or another. */
export const put = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => new Map(map).set(key, value);

/** A copy without one entry; the same map when there is none. */
export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
