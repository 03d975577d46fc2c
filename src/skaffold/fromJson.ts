import { rawText } from '../core/errors.ts';
import { isMapping } from '../lib/mapping.ts';
import { type Fields, textOf } from '../proto/fields.ts';
import type { Api, SkaffoldEvent } from './event.ts';
import { fixedTime } from '../proto/time.ts';

/** A line of a stream or of an event-log file, or why it is none. */
export type Parsed = Readonly<{ event: SkaffoldEvent } | { problem: string }>;

/**
 * One line as the HTTP gateway writes it (`{"result":…}`), or as `--event-log-file` does (without the wrapper, names in
 * camel case, nothing that is empty); skaffold: pkg/skaffold/server/server.go. The two services are told apart by shape.
 */
export function fromJson(line: string): Parsed {
  let wrapper: unknown;
  try {
    wrapper = JSON.parse(line);
  } catch (error) {
    return { problem: `is not JSON: ${rawText(error)}` };
  }
  if (!isMapping(wrapper)) return { problem: 'is no object' };
  if (isDeeper(wrapper, MOST_LEVELS)) return { problem: `is nested more than ${MOST_LEVELS} levels deep` };
  const { error: failed, result } = wrapper;
  if (isMapping(failed)) return { problem: `says that the stream failed: ${textOf(failed, 'message')}` };
  return eventOf(isMapping(result) ? result : wrapper);
}

/** As deep as gRPC goes; what is much deeper cannot be written again. */
const MOST_LEVELS = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(part => isDeeper(part, levels - 1)));

function eventOf(item: Fields): Parsed {
  const time = fixedTime(textOf(item, 'timestamp'));
  if (time === undefined)
    return { problem: `has no time, or none of Skaffold's: ${JSON.stringify(item['timestamp'])}` };
  const { timestamp: _timestamp, event, entry, ...parts } = item;
  const api: Api = event === undefined && entry === undefined ? 'v2' : 'v1';
  const [kind = '', body = {}] = Object.entries(api === 'v1' ? (isMapping(event) ? event : {}) : parts)[0] ?? [];
  return {
    event: {
      api,
      time,
      kind,
      body: withProtoNames(isMapping(body) ? body : {}),
      entry: typeof entry === 'string' ? entry : '',
    },
  };
}

/** The three names that the proto does not write in camel case; the encoder of files does. */
const protoNames: ReadonlyMap<string, string> = new Map([
  ['taskId', 'task_id'],
  ['subtaskId', 'subtask_id'],
  ['readyRevision', 'ready_revision'],
]);

const withProtoNames = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [protoNames.get(name) ?? name, value]));
