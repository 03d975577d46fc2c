/** An object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** The properties of a foreign value; none when it is no object. */
export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
