import { EventLog } from '../../src/core/eventLog.ts';
import { Feed } from '../../src/core/feed.ts';
import type { DebugEvent } from '../../src/core/model.ts';
import { rowsOf } from '../../src/core/selectors.ts';
import { Store } from '../../src/core/store.ts';
import { container, exited } from '../support/containers.ts';
import { LoopProbe } from './loopProbe.ts';
import type { Table } from './table.ts';

const source = 'replay';

/** Starts and ends of some containers in turn, as a source that has them all at once. */
async function* replay(events: number, containers: number): AsyncGenerator<DebugEvent, void, void> {
  for (let n = 0; n < events; n++) {
    const run = Math.floor(n / (2 * containers));
    const parts = {
      podUid: `uid-${n % containers}`,
      pod: `web-${n % containers}`,
      restarts: run,
      containerId: `run-${run}`,
    };
    const isOver = Math.floor(n / containers) % 2 === 1;
    yield { kind: 'seen', source, container: container(isOver ? { ...parts, phase: exited(1) } : parts) };
  }
}

/** Pours a replay into the store and the log, and looks how long the event loop had to wait for its next turn. */
export async function replayBench(events: number, containers: number): Promise<Table> {
  let lines = 0;
  const log = new EventLog(() => new Date());
  log.onDidAppend(() => lines++);
  const store = new Store(log);
  const probe = new LoopProbe();
  await new Feed(
    signal => untilAborted(replay(events, containers), signal),
    store,
    error => console.error(error),
  ).done;
  const { cpuMs, turns, longestMs } = probe.end();
  return {
    title: 'A long replay through store and log',
    note: `${events} events of ${containers} containers from a source that never waits. Budget: no task over 50 ms.`,
    columns: ['events', 'log lines', 'rows', 'CPU', 'turns of the event loop', 'longest turn (CPU)'],
    rows: [
      [events, lines, rowsOf(store.state).length, `${Math.round(cpuMs)} ms`, turns, `${longestMs.toFixed(1)} ms`].map(
        String,
      ),
    ],
  };
}

async function* untilAborted(events: AsyncIterable<DebugEvent>, signal: AbortSignal) {
  for await (const event of events) {
    if (signal.aborted) return;
    yield event;
  }
}
