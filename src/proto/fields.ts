/** A message as Skaffold writes it in JSON: names of the proto, enumerations by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A text field. Older versions leave out what is empty. */
export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

export const numberOf = (fields: Fields, name: string): number => {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};

/** A message field; empty when it is not set. */
export const fieldsOf = (fields: Fields, name: string): Fields => asFields(fields[name]) ?? {};

export const listOf = (fields: Fields, name: string): readonly Fields[] => {
  const value = fields[name];
  return Array.isArray(value) ? value.map(asFields).filter(one => one !== undefined) : [];
};

/** A value as an object, if it is one. */
export const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
