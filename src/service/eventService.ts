import type { EventLog } from '../core/eventLog.ts';
import type { LogRecord } from '../core/logRecord.ts';
import { relayMark, reportedKey } from '../core/skaffold.ts';
import type { Store } from '../core/store.ts';
import { sleep } from '../lib/backoff.ts';
import type { Disposable } from '../lib/disposable.ts';
import { fixedTime } from '../proto/time.ts';
import { Calls } from './calls.ts';
import type { Skaffolds } from './control.ts';
import { serveGrpc } from './grpcServer.ts';
import { History, historyLimits, type HistoryLimits } from './history.ts';
import { serveHttp } from './httpServer.ts';
import { Running } from './running.ts';
import type { ProtocolServer } from './loopback.ts';
import { Wire } from './wire.ts';
import { Witness } from './witness.ts';

/** What is served, and how. */
export interface ServiceOptions {
  readonly log: EventLog;
  readonly store: Pick<Store, 'state'>;
  readonly skaffolds: Skaffolds;
  /** Of Breakpod, for people. */
  readonly version: string;
  /** 0 is any port that is free. */
  readonly grpcPort: number;
  readonly httpPort: number;
  readonly limits?: HistoryLimits;
  readonly mostReaders?: number;
}

/** The event service, listening on the loopback. */
export interface EventService {
  readonly grpcPort: number;
  readonly httpPort: number;
  /** Delivers what is there and ends each stream well; those who do not read have a second. Never rejects. */
  close(): Promise<void>;
}

/** How long the end may take, in milliseconds. */
const END_MS = 1000;

/** Serves the log with Skaffold's first API, over gRPC and HTTP. Throws `UserError` when a port is taken. */
export async function startEventService(options: ServiceOptions): Promise<EventService> {
  const { log, store, skaffolds, version, grpcPort, httpPort, limits = historyLimits, mostReaders } = options;
  const libraries = await import('../proto/libraries.ts');
  const wire = new Wire(libraries);
  const history = new History(limits);
  const opening = wire.item({
    time: log.since,
    kind: 'metaEvent',
    body: {
      entry: `Breakpod ${version} serves the debug events of the containers that it watches`,
      metadata: { additional: { [relayMark]: version } },
    },
    entry: '',
  });
  const running = new Running(store, wire, log.since);
  const filling = fill({ history, wire, running }, log, store);
  const calls = new Calls({
    ...{ store, history, wire, opening, running, skaffolds },
    ...(mostReaders === undefined ? {} : { mostReaders }),
  });
  const servers: ProtocolServer[] = [];
  try {
    servers.push(await serveGrpc(libraries, calls, grpcPort));
    servers.push(await serveHttp(wire, calls, httpPort));
  } catch (error) {
    await end(calls, servers);
    filling.dispose();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    grpcPort: servers[0]!.port,
    httpPort: servers[1]!.port,
    close: () => (closing ??= end(calls, servers).finally(() => filling.dispose())),
  };
}

/** Where events go. */
type Into = Readonly<{ history: History; wire: Wire; running: Running }>;

/**
 * What the log has, and what comes. Times never go back, as with Skaffold, so that readers may sort by them: an event that has
 * come late has the time of the one before it. The meta event of a Skaffold is passed on as its line alone: to a reader it
 * would say that all before is void, also of what others have said.
 */
function fill({ history, wire, running }: Into, log: EventLog, store: Pick<Store, 'state'>): Disposable {
  const witness = new Witness({
    isWatched: key => [...store.state.entries.values()].some(({ container }) => reportedKey(container) === key),
    relays: [...store.state.skaffold].flatMap(([source, { isRelay }]) => (isRelay ? [source] : [])),
  });
  let time = log.since;
  const add = (record: LogRecord) => {
    if (!witness.isNews(record)) return;
    time = timeAfter(time, record.time);
    running.note(record, history.next);
    history.add(wire.item({ ...record, ...(record.kind === 'metaEvent' ? { kind: '' } : {}), time }));
  };
  for (const record of log.records) add(record);
  return log.onDidAppend(add);
}

/** A clock that is ahead must not stop the time of all that follows. */
function timeAfter(before: string, time: string): string {
  const now = new Date(Date.now() + AHEAD_MS).toISOString();
  const possible = fixed(time) > fixed(now) ? now : time;
  return fixed(possible) > fixed(before) ? possible : before;
}

/** Skaffold's clock is this machine's, read a little later or earlier. */
const AHEAD_MS = 1000;

const fixed = (time: string): string => fixedTime(time) ?? '';

async function end(calls: Calls, servers: readonly ProtocolServer[]): Promise<void> {
  for (const server of servers) server.stopAccepting();
  const patience = new AbortController();
  const ended = Promise.all([calls.finish(), ...servers.map(server => server.ended)]);
  await Promise.race([ended, sleep(END_MS, patience.signal)]);
  patience.abort();
  for (const server of servers) server.destroy();
}
