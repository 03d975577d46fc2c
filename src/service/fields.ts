/** A text field of an event; empty when it has none. */
export const textOf = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

/** A message of an event; empty when it is not set. */
export const fieldsOf = (
  fields: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> => {
  const value = fields[name];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
};
