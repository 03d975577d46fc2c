import type { Fields } from '../proto/fields.ts';

/** Skaffold's two services: `v1` is `proto.SkaffoldService`, `v2` is `proto.v2.SkaffoldV2Service`. */
export type Api = 'v1' | 'v2';

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
