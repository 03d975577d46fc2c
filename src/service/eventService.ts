import type { EventLog } from '../core/eventLog.ts';
import { type LogRecord, startedDraft } from '../core/logRecord.ts';
import type { Store } from '../core/store.ts';
import { sleep } from '../lib/backoff.ts';
import type { Disposable } from '../lib/disposable.ts';
import { fixedTime } from '../proto/time.ts';
import { Calls } from './calls.ts';
import type { Skaffolds } from './control.ts';
import { serveGrpc } from './grpcServer.ts';
import { History, historyLimits, type HistoryLimits } from './history.ts';
import { serveHttp } from './httpServer.ts';
import type { ProtocolServer } from './server.ts';
import { runningContainers } from './state.ts';
import { Wire } from './wire.ts';
import { keyOf, Witness } from './witness.ts';

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
    time: startOf(log.records),
    kind: 'metaEvent',
    body: { entry: `Breakpod ${version} serves the debug events of the containers that it watches` },
    entry: '',
  });
  const filling = fill(history, wire, options);
  const calls = new Calls({
    ...{ store, history, wire, opening, skaffolds },
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

/**
 * What the log has, what it no longer has and still holds, and what comes. Times never go back, as with Skaffold, so that
 * readers may sort by them: an event that has come late has the time of the one before it. The meta event of a Skaffold is
 * passed on as its line alone: to a reader it would say that all before is void, also of what others have said.
 */
function fill(history: History, wire: Wire, { log, store }: Pick<ServiceOptions, 'log' | 'store'>): Disposable {
  const witness = new Witness();
  const { records } = log;
  let time = startOf(records);
  const add = (record: LogRecord) => {
    if (!witness.isNews(record)) return;
    time = later(time, record.time);
    history.add(record, wire.item({ ...record, ...(record.kind === 'metaEvent' ? { kind: '' } : {}), time }));
  };
  const told = new Set(records.flatMap(({ kind, body }) => (kind === 'debuggingContainerEvent' ? [keyOf(body)] : [])));
  for (const { source, container } of runningContainers(store.state)) {
    const record = { ...startedDraft(source, container), time, number: 0 };
    if (!told.has(keyOf(record.body)) && witness.isNews(record)) history.addBefore({ record, item: wire.item(record) });
  }
  for (const record of records) add(record);
  return log.onDidAppend(add);
}

/** When the log begins, or now. */
const startOf = ([first]: readonly LogRecord[]): string => first?.time ?? new Date().toISOString();

const later = (a: string, b: string): string => ((fixedTime(a) ?? '') > (fixedTime(b) ?? '') ? a : b);

async function end(calls: Calls, servers: readonly ProtocolServer[]): Promise<void> {
  for (const server of servers) server.stopAccepting();
  const patience = new AbortController();
  const ended = Promise.all([calls.finish(), ...servers.map(server => server.ended)]);
  await Promise.race([ended, sleep(END_MS, patience.signal)]);
  patience.abort();
  for (const server of servers) server.destroy();
}
