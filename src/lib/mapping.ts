/** A mapping of a YAML file, of which nothing is known. */
export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A mapping, or an empty one in place of anything else (`null` in files from fresh tools). */
export const mappingAt = (of: Mapping, key: string): Mapping => {
  const value = of[key];
  return isMapping(value) ? value : {};
};

/** The mappings in a list; anything else in it, or in its place, counts as absent. */
export const mappingsAt = (of: Mapping, key: string): readonly Mapping[] => {
  const value = of[key];
  return Array.isArray(value) ? value.filter(isMapping) : [];
};

/** Text; a number or boolean that somebody forgot to quote is taken as it is written. Empty counts as absent. */
export const textAt = (of: Mapping, key: string): string | undefined => textOf(of[key]);

/** The texts in a list. */
export const textsAt = (of: Mapping, key: string): readonly string[] => {
  const value = of[key];
  return Array.isArray(value) ? value.map(item => textOf(item) ?? '') : [];
};

/** True for `true`, and for what YAML 1.1, which kubectl reads, takes for it. */
export const isTrueAt = (of: Mapping, key: string): boolean => /^(true|yes|on|y)$/i.test(textAt(of, key) ?? '');

/** `T` with its optional fields given as `undefined`. */
type Given<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** Leaves out the fields that are `undefined`. */
export const present = <T extends object>(fields: Given<T>): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value || undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
