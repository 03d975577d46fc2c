import type { SlotId } from './identity.ts';
import { sameRun } from './identity.ts';
import { type LogDraft, startedDraft, terminatedDraft } from './logRecord.ts';
import type { Container, Detection, Life, SourceName } from './model.ts';

/** A container's life after a report, and what the log has to say about it. */
export type LifeStep = Readonly<{ life: Life; drafts: readonly LogDraft[] }>;

/** Verdicts of containers whose starts and ends are events. */
export const isDebuggable = ({ verdict }: Detection): boolean => verdict !== 'not-debuggable' && verdict !== 'crash';

/** A status names two runs that are over at most: in `lastState` and in `state`. */
const MOST_ENDED = 2;

const isRunning = ({ phase }: Container) => phase.kind === 'running' || phase.kind === 'terminating';

/**
 * What a report says about a container's runs. `inSnapshot`: runs that were over before anybody looked are no news;
 * later, also a run that was never seen running has started and ended (a Job of a second, a restart between reports).
 */
export function lifeAfter(
  before: Life | undefined,
  container: Container,
  source: SourceName,
  { inSnapshot }: { inSnapshot: boolean },
): LifeStep {
  const drafts: LogDraft[] = [];
  let started = before?.started;
  let ended = before?.ended ?? [];
  const isTold = (id: string) => ended.includes(id);
  const remember = (id: string | undefined) => {
    if (id && !isTold(id)) ended = [...ended, id].slice(-MOST_ENDED);
  };
  const end = (run: Container) => {
    drafts.push(terminatedDraft(source, run));
    started = undefined;
    remember(run.containerId);
  };
  const passed = (run: Container) => {
    drafts.push(startedDraft(source, run));
    end(run);
  };

  if (started && !sameRun(started, container)) end(started);
  const isNews = isDebuggable(container.detection) && (before !== undefined || !inSnapshot);
  const missed = missedRun(container);
  if (missed?.containerId && !isTold(missed.containerId) && !(started && sameRun(started, missed)))
    if (isNews) passed(missed);
    else remember(missed.containerId);

  if (isRunning(container)) {
    if (!started && isDebuggable(container.detection)) {
      drafts.push(startedDraft(source, container));
      started = container;
    } else if (started) started = container;
  } else if (container.phase.kind === 'waiting') {
    if (started) end(started);
  } else {
    if (started) end(started);
    else if (isNews && container.containerId && !isTold(container.containerId)) passed(container);
    else remember(container.containerId);
  }
  return { life: { source, ended, ...(started ? { started } : {}) }, drafts };
}

/** The container is gone: its run, if one was on, has ended. */
export const lifeEnded = (life: Life | undefined, source: SourceName): readonly LogDraft[] =>
  life?.started ? [terminatedDraft(source, life.started)] : [];

/** Slots of a source whose run is on in the log but which its list no longer has. */
export const unlisted = (
  lives: ReadonlyMap<SlotId, Life>,
  source: SourceName,
  listed: ReadonlySet<SlotId>,
): readonly SlotId[] =>
  [...lives].filter(([slot, life]) => life.source === source && !listed.has(slot)).map(([s]) => s);

/** The run before the present one, as `lastState` tells it. A waiting container still has the ID of its last run. */
function missedRun(container: Container): Container | undefined {
  const { last } = container;
  if (!last?.containerId) return undefined;
  if (container.phase.kind !== 'waiting' && last.containerId === container.containerId) return undefined;
  const { startedAt: _startedAt, ...rest } = container;
  return { ...rest, containerId: last.containerId, ...(last.startedAt ? { startedAt: last.startedAt } : {}) };
}
