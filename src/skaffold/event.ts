/** Skaffold's two services: `v1` is `proto.SkaffoldService`, `v2` is `proto.v2.SkaffoldV2Service`. */
export type Api = 'v1' | 'v2';

export type Fields = Readonly<Record<string, unknown>>;

/** One event, the same whether it came over gRPC, over HTTP or from a file. */
export interface SkaffoldEvent {
  readonly api: Api;
  /** UTC with nine digits of a second, so that texts compare as times do. */
  readonly time: string;
  /** Its name in the API (`debuggingContainerEvent`); empty for one that this version does not know. */
  readonly kind: string;
  /** Its fields with the names of the proto, and enumerations by name, as Skaffold writes them in JSON. */
  readonly body: Fields;
  /** The line that `v1` has for people; else empty. */
  readonly entry: string;
}

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
