import { rawText } from '../core/errors.ts';
import type { Api, SkaffoldEvent } from './event.ts';
import type * as names from './gen/enums.ts';
import type { Timestamp } from './gen/google/protobuf/timestamp.ts';
import type * as suggestions from './gen/suggestions.ts';
import type { LogEntry } from './gen/v1.ts';
import type { Event } from './gen/v2.ts';
import { timeText } from './time.ts';

/** The numbers behind the names of enumerations, from the generated code. */
export type EnumNames = Omit<typeof names & typeof suggestions, 'protobufPackage' | 'protobufFileName'>;

/** Events of gRPC in the shape that Skaffold gives them in JSON. */
export class FromGrpc {
  private readonly enums: ReadonlyMap<string, Readonly<Record<string, number>>>;

  constructor(all: EnumNames) {
    this.enums = new Map<string, Readonly<Record<string, number>>>([
      ['errCode', all.StatusCode],
      ['statusCode', all.StatusCode],
      ['suggestionCode', all.SuggestionCode],
      ['level', all.LogLevel],
      ['cluster', all.ClusterType],
      ['builders.type', all.BuilderType],
      ['artifacts.type', all.BuilderType],
      ['deployers.type', all.DeployerType],
      ['Testers.type', all.TesterType],
      ['Renderers.type', all.RenderType],
      ['build.type', all.BuildType],
    ]);
  }

  v1({ timestamp, event, entry }: LogEntry): SkaffoldEvent {
    return { api: 'v1', time: timeOf(timestamp), ...this.namedPart(event ?? {}), entry };
  }

  v2({ timestamp, ...event }: Event): SkaffoldEvent {
    return { api: 'v2', time: timeOf(timestamp), ...this.namedPart(event), entry: '' };
  }

  /** Of the fields of a oneof one is set, or none, if the event is newer than this code. */
  private namedPart(event: object): Pick<SkaffoldEvent, 'kind' | 'body'> {
    const [kind, body] = Object.entries<unknown>({ ...event }).find(([, value]) => value !== undefined) ?? ['', {}];
    return { kind, body: this.withNames(body as object, kind) };
  }

  private withNames(message: object, at: string): Record<string, unknown> {
    return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, this.named(name, value, at)]));
  }

  private named(name: string, value: unknown, at: string): unknown {
    if (Array.isArray(value)) return value.map(one => this.named(name, one, at));
    if (isMap(name)) return inOrder(value as object);
    if (typeof value === 'object' && value !== null) return this.withNames(value, name);
    if (value === undefined) return null; // a message that is not set
    const numbers = this.enums.get(name) ?? this.enums.get(`${at}.${name}`);
    if (numbers === undefined || typeof value !== 'number') return value;
    return Object.keys(numbers).find(key => numbers[key] === value) ?? value;
  }
}

/** Maps have keys that somebody chose, not names of the proto. */
const isMap = (name: string): boolean => name === 'debugPorts' || name === 'additional';

/** Skaffold sends the entries of a map in another order each time, in JSON by key; the replay has to be like the event. */
const inOrder = (map: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What stands for an event whose bytes are none. */
export const unreadable = (api: Api, error: unknown): SkaffoldEvent => ({
  api,
  time: timeOf(undefined),
  kind: '',
  body: {},
  entry: `Skaffold sent an event that cannot be read: ${rawText(error)}`,
});

const timeOf = (timestamp: Timestamp | undefined): string => timeText(timestamp?.seconds ?? 0, timestamp?.nanos ?? 0);
