import { readFileSync } from 'node:fs';
import { inRoot } from '../../.ci/lib/paths.ts';
import type { DebugEvent } from '../../src/core/model.ts';
import type { SkaffoldEvent } from '../../src/skaffold/event.ts';
import { fromJson } from '../../src/skaffold/fromJson.ts';
import { byTime } from '../../src/skaffold/order.ts';
import { tellingOf } from '../../src/skaffold/telling.ts';

/** The source of what `recorded` gives. */
export const recordedSource = 'skaffold:50051';

/** What a recording of both services tells, up to a time of its day (`21:00:15`), as the store gets it. */
export const recorded = (name: string, until = '99'): readonly DebugEvent[] =>
  ['v1', 'v2']
    .flatMap(api => eventsOf(`${name}.${api}`))
    .toSorted(byTime)
    .filter(({ time }) => time.slice(11) < until)
    .map(event => tellingOf(event, recordedSource, { hasV1: true }))
    .filter(event => event !== undefined);

const eventsOf = (file: string): readonly SkaffoldEvent[] =>
  readFileSync(inRoot('test/fixtures/recordings', `${file}.ndjson`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(fromJson)
    .flatMap(parsed => ('event' in parsed ? [parsed.event] : []));
