import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { EventLog } from '../../src/core/eventLog.ts';
import { Feed } from '../../src/core/feed.ts';
import { runRowsOf } from '../../src/core/runRows.ts';
import { rowsOf } from '../../src/core/selectors.ts';
import { Store } from '../../src/core/store.ts';
import { Coalesced } from '../../src/lib/coalesce.ts';
import { followSkaffold } from '../../src/skaffold/follow.ts';
import { inRoot } from '../../.ci/lib/paths.ts';
import { treeOf } from '../../src/shell/nodes.ts';
import { LoopProbe } from './loopProbe.ts';
import type { Table } from './table.ts';

/** Follows a Skaffold with a long past over real gRPC, into store, log and rows, as the extension does. */
export async function skaffoldReplayBench(events: number, containers: number): Promise<Table> {
  const server = spawn(process.execPath, [inRoot('test/bench/skaffoldFlood.ts'), String(events), String(containers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(createInterface(server.stdout), 'line')) as [string];
    return await measure(Number(port), events, containers);
  } finally {
    server.stdin.end();
  }
}

async function measure(port: number, events: number, containers: number): Promise<Table> {
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  const all = Promise.withResolvers<void>();
  let told = 0;
  log.onDidAppend(({ kind }) => kind === 'debuggingContainerEvent' && ++told === events / 2 && all.resolve());
  const redraw = new Coalesced(50, () => {
    const rows = rowsOf(store.state);
    treeOf(rows, runRowsOf(store.state, rows));
  });
  store.onDidChange(redraw.call);
  await warmUp();
  const probe = new LoopProbe();
  const stop = new AbortController();
  const feed = new Feed(followSkaffold({ port, stop: stop.signal, drainMs: 0 }), store, error => console.error(error));
  await all.promise;
  const { cpuMs, turns, longestMs } = probe.end();
  feed.dispose();
  await feed.done;
  redraw.dispose();
  return {
    title: 'A long past of a Skaffold, over gRPC',
    note: `${events} events of both services, half of them debugging events of ${containers} containers, half lines of its log, replayed to a new subscriber; the tree is made anew every 50 ms. Budget: no task over 50 ms, and no more kept than the log's ring.`,
    columns: ['events', 'log lines told', 'log lines kept', 'CPU', 'turns of the event loop', 'longest turn (CPU)'],
    rows: [
      [events, told, log.records.length, `${Math.round(cpuMs)} ms`, turns, `${longestMs.toFixed(1)} ms`].map(String),
    ],
  };
}

/** Loading the libraries is measured with the start of the extension. */
const warmUp = () => import('../../src/proto/libraries.ts');
