/** A list of a pod without what is no item: it can be null, and in a file that a person wrote anything. */
export function listOf<T>(list: readonly T[] | null | undefined): readonly NonNullable<T>[] {
  return Array.isArray(list) ? (list as readonly T[]).filter(item => item !== null && item !== undefined) : [];
}
