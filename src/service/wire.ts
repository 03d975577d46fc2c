import type { LogRecord } from '../core/logRecord.ts';
import { EnumNames } from '../proto/enumNames.ts';
import type { LogEntry as Entry, State as WireState } from '../proto/gen/v1.ts';
import type * as libraries from '../proto/libraries.ts';
import { fixedTime } from '../proto/time.ts';

/** gRPC and the generated code, which are loaded when the service is started. */
export type Libraries = typeof libraries;

/** What is said of one event; `kind` and `body` as Skaffold's API names them in JSON. */
export type Said = Pick<LogRecord, 'time' | 'kind' | 'body' | 'entry'>;

/** One event as it is sent: a message of gRPC, and a line of HTTP. */
export type Item = Readonly<{ message: Buffer; line: Buffer }>;

/**
 * Events and states in the two encodings of Skaffold ≥ v1.33 (skaffold: pkg/skaffold/server/server.go): names of the proto,
 * zero values present, a stream's item as `result`, times in RFC 3339.
 */
export class Wire {
  private readonly names: EnumNames;
  private readonly libraries: Libraries;

  constructor(libraries: Libraries) {
    this.libraries = libraries;
    this.names = new EnumNames(libraries);
  }

  /** An event that the API does not know, or cannot hold, or whose message is too long for its readers, is sent as its line for people. */
  item(said: Said): Item {
    const short = { ...said, entry: said.entry.slice(0, MOST_CHARACTERS) };
    if (!kinds.has(said.kind)) return this.encode(short, {});
    try {
      const item = this.encode(short, { [said.kind]: this.names.withNumbers(said.body, said.kind) });
      return item.message.length < MOST_BYTES ? item : this.encode(short, {});
    } catch {
      return this.encode(short, {});
    }
  }

  /** The last item of a stream of HTTP that could not go on; gRPC has a status for that. */
  errorLine(code: number, message: string): Buffer {
    return Buffer.from(`${goJson({ error: { code, message, details: [] } })}\n`);
  }

  /** A message of gRPC out of fields with names in place of numbers; what is missing has its zero. */
  state(fields: Readonly<Record<string, unknown>>): WireState {
    return this.libraries.State.fromPartial(this.names.withNumbers(fields, ''));
  }

  /** The same as JSON. */
  stateJson(state: WireState): string {
    return goJson(this.names.withNames(state, ''));
  }

  private encode({ time, entry }: Said, event: object): Item {
    const { LogEntry } = this.libraries;
    const fixed = fixedTime(time) ?? EPOCH;
    const message: Entry = LogEntry.fromPartial({ timestamp: timestampOf(fixed), event, entry });
    const named = this.names.withNames(onlySet(message.event ?? {}), '');
    const result = { timestamp: shortened(fixed), event: named, entry };
    return {
      message: Buffer.from(LogEntry.encode(message).finish()),
      line: Buffer.from(`${goJson({ result })}\n`),
    };
  }
}

/** A client of gRPC takes no longer message, unless it was told to (grpc: `max_receive_message_length`, 4 MiB). */
const MOST_BYTES = 4 << 20;

const MOST_CHARACTERS = 100_000;

/** Members of v1's oneof `event_type`. */
const kinds: ReadonlySet<string> = new Set([
  'metaEvent',
  'buildEvent',
  'deployEvent',
  'portEvent',
  'statusCheckEvent',
  'resourceStatusCheckEvent',
  'fileSyncEvent',
  'debuggingContainerEvent',
  'devLoopEvent',
  'terminationEvent',
  'TestEvent',
]);

/** Members of a oneof that are not set are absent in JSON. */
const onlySet = (event: object): object =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));

/** As Go writes JSON: whole characters only, and nothing that HTML could take for its own. */
const goJson = (value: unknown): string =>
  wholeJson(value).replace(/[<>&\u2028\u2029]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Half of a character, which JavaScript's texts can have, is U+FFFD to all others. */
function wholeJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
}

const EPOCH = '1970-01-01T00:00:00.000000000Z';

/** Of a time of fixed length. */
const timestampOf = (fixed: string) => ({
  seconds: Date.parse(`${fixed.slice(0, 19)}Z`) / 1000,
  nanos: Number(fixed.slice(20, 29)),
});

/** With as many digits of a second as it needs: none, three, six or nine. */
const shortened = (fixed: string): string => fixed.replace(/(000){1,3}Z$/, 'Z').replace('.Z', 'Z');
