interface Keyed<K> {
  readonly size: number;
  keys(): Iterator<K, undefined>;
  delete(key: K): boolean;
}

/** Lets the first key of a map or set go when there are more than `most`; to be called after each that is added. */
export function forgetOldest<K>(keys: Keyed<K>, most: number): void {
  const oldest = keys.size > most ? keys.keys().next() : undefined;
  if (oldest && !oldest.done) keys.delete(oldest.value);
}
