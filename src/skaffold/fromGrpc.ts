import { rawText } from '../core/errors.ts';
import { EnumNames, type Enums } from '../proto/enumNames.ts';
import type { Timestamp } from '../proto/gen/google/protobuf/timestamp.ts';
import type { LogEntry } from '../proto/gen/v1.ts';
import type { Event } from '../proto/gen/v2.ts';
import { timeText } from '../proto/time.ts';
import type { Api, SkaffoldEvent } from './event.ts';

/** Events of gRPC in the shape that Skaffold gives them in JSON. */
export class FromGrpc {
  private readonly names: EnumNames;

  constructor(all: Enums) {
    this.names = new EnumNames(all);
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
    return { kind, body: this.names.withNames(body as object, kind) };
  }
}

/** What stands for an event whose bytes are none. */
export const unreadable = (api: Api, error: unknown): SkaffoldEvent => ({
  api,
  time: timeOf(undefined),
  kind: '',
  body: {},
  entry: `Skaffold sent an event that cannot be read: ${rawText(error)}`,
});

const timeOf = (timestamp: Timestamp | undefined): string => timeText(timestamp?.seconds ?? 0, timestamp?.nanos ?? 0);
