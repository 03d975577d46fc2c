import type { Mapping } from '../lib/mapping.ts';

/** A message as Skaffold writes it in JSON: names of the proto, enumerations by name. */
export type Fields = Mapping;

/** A text field. Older versions leave out what is empty. */
export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

export const numberOf = (fields: Fields, name: string): number => {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};
