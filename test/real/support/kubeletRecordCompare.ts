// Is every run of a container in the event log, once?
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/state.ts';
import { kubeletRecord, type NodeRun } from './kubeletRecord.ts';
import type { ContainerEvent, Product } from './product.ts';

/** How long before the first look a run may have ended without the API telling of its end by then. */
const GRACE_MS = 20_000;

export interface CompareOptions {
  /**
   * Runs that have to be in the log: unless given, those of the namespace `shop` but for the container `setup`, which are
   * all debuggable (`cluster/manifests/pods.yaml`). A test with containers of its own that are not leaves them out.
   */
  isWanted?(run: NodeRun): boolean;
  /** For how long log and record may still differ, since the kubelet tells the API server some time later. */
  timeoutMs?: number;
}

/**
 * Waits until the product's log has exactly the Started and the Terminated of each run that the node's own record has,
 * in turns. Throws an `AssertionError` that names what is missing or too much. For runs that began before the product
 * looked: those still on count as started, those over are not told (or wholly, when they ended just before).
 */
export async function assertLogIsComplete(
  cluster: Cluster,
  product: Product,
  options: CompareOptions = {},
): Promise<void> {
  const { isWanted = isDebuggable, timeoutMs = 90_000 } = options;
  const end = Date.now() + timeoutMs;
  for (;;) {
    const differences = differencesOf(kubeletRecord(cluster).filter(isWanted), product.events, product.watchingSinceMs);
    if (differences.length === 0) return;
    if (Date.now() > end) assert.fail(`the log is not what the kubelet has recorded:\n${differences.join('\n')}`);
    await delay(100);
  }
}

const isDebuggable = ({ namespace, container }: NodeRun): boolean => namespace === 'shop' && container !== 'setup';

/** What differs between record and log, a line for each container; nothing when they agree. `sinceMs`: the first list. */
export function differencesOf(runs: readonly NodeRun[], events: readonly ContainerEvent[], sinceMs: number): string[] {
  const byContainer = new Map<string, { runs: NodeRun[]; events: ContainerEvent[] }>();
  const at = ({ namespace, pod, container }: { namespace: string; pod: string; container: string }) => {
    const key = `${namespace}/${pod}:${container}`;
    const both = byContainer.get(key) ?? { runs: [], events: [] };
    byContainer.set(key, both);
    return both;
  };
  for (const run of runs) at(run).runs.push(run);
  for (const event of events) at(event).events.push(event);
  return [...byContainer].flatMap(([key, both]) => {
    const problem = problemOf(both.runs, both.events, sinceMs);
    if (problem === undefined) return [];
    const recorded = both.runs.map(runText).join(', ') || 'nothing';
    const told = both.events.map(({ status, time }) => `${status} ${time.slice(11, 23)}`).join(', ') || 'nothing';
    return [`${key}: ${problem}\n  kubelet: ${recorded}\n  log: ${told}`];
  });
}

function problemOf(runs: readonly NodeRun[], events: readonly ContainerEvent[], sinceMs: number): string | undefined {
  const wanted = runs.filter(({ endedMs }) => endedMs === undefined || endedMs > sinceMs);
  const perhaps = runs.filter(({ endedMs = Infinity }) => endedMs <= sinceMs && endedMs > sinceMs - GRACE_MS).length;
  const ended = wanted.filter(({ endedMs }) => endedMs !== undefined).length;
  const said = (status: ContainerEvent['status']) => events.filter(event => event.status === status).length;
  const counts = [
    countProblem('Started', said('Started'), wanted.length, perhaps),
    countProblem('Terminated', said('Terminated'), ended, perhaps),
  ].filter(text => text !== undefined);
  if (counts.length > 0) return counts.join('; ');
  const isInTurns = events.every(({ status }, i) => status === (i % 2 === 0 ? 'Started' : 'Terminated'));
  return isInTurns ? undefined : 'not in turns';
}

function countProblem(status: string, said: number, atLeast: number, more: number): string | undefined {
  if (said < atLeast) return `${atLeast - said} ${status} missing`;
  if (said > atLeast + more) return `${said - atLeast - more} ${status} too many`;
  return undefined;
}

const runText = ({ id, startedMs, endedMs, exitCode }: NodeRun): string =>
  `${id.slice(0, 12)} ${clock(startedMs)} to ${endedMs === undefined ? 'now' : `${clock(endedMs)} (exit ${exitCode ?? 'unknown'})`}`;

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
