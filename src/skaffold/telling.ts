import type { DebugEvent, SourceName } from '../core/model.ts';
import { textOf } from '../proto/fields.ts';
import type { SkaffoldEvent } from './event.ts';
import { factsOf } from './facts.ts';
import { draftOf } from './records.ts';

/** Of what both services report v1 has the truth; v2 forgets at each iteration, and ends without a word. */
const onlyFromV1 = /^(debuggingContainer|port|fileSync|termination)Event$/;

/** v1 tells these in its own events, with a line for people. */
const toldByV1 = /^(meta|task|buildSubtask|deploySubtask|statusCheckSubtask|test)Event$/;

/** Lines of logs belong to channels of their own. */
const isLogLine = ({ kind }: SkaffoldEvent): boolean => kind === 'skaffoldLogEvent' || kind === 'applicationLogEvent';

/** An iteration begins and ends with the word of one of them, or the other's would wipe away what has begun since. */
const isIteration = ({ kind, body }: SkaffoldEvent): boolean =>
  kind === 'taskEvent' && textOf(body, 'task') === 'DevLoop';

/**
 * What an event of either service does to the state and says in the log. `hasV1`: whether that service is read too, so that
 * what both report counts once.
 */
export function tellingOf(
  event: SkaffoldEvent,
  source: SourceName,
  { hasV1 }: { hasV1: boolean },
): DebugEvent | undefined {
  if (isLogLine(event)) return unlessEmpty({ kind: 'skaffold', source, facts: factsOf(event) });
  const isSecond = event.api === 'v2' && hasV1;
  if (isSecond && (onlyFromV1.test(event.kind) || isIteration(event))) return undefined;
  const isTold = !(isSecond && toldByV1.test(event.kind));
  return { kind: 'skaffold', source, facts: factsOf(event), ...(isTold ? { said: draftOf(event) } : {}) };
}

const unlessEmpty = (telling: Extract<DebugEvent, { kind: 'skaffold' }>): DebugEvent | undefined =>
  telling.facts.length > 0 ? telling : undefined;
