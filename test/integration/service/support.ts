import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import type { TestContext } from 'node:test';
import { credentials } from '@grpc/grpc-js';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { followInto } from '../../../src/core/followedRun.ts';
import type { SourceName } from '../../../src/core/model.ts';
import { Store } from '../../../src/core/store.ts';
import { type LogEntry, SkaffoldServiceClient } from '../../../src/proto/gen/v1.ts';
import { type EventService, type ServiceOptions, startEventService } from '../../../src/service/eventService.ts';
import { followSkaffold } from '../../../src/skaffold/follow.ts';
import { skaffoldSourceName } from '../../../src/skaffold/sourceName.ts';

/** A service with a store and a log of its own, on free ports, until the test ends. */
export interface Served {
  readonly log: EventLog;
  readonly store: Store;
  readonly service: EventService;
  /** Appends notices `PREFIX FIRST` to `PREFIX LAST`. */
  notices(first: number, last: number, prefix?: string): void;
}

/** No Skaffold is there. */
export const noSkaffolds: ServiceOptions['skaffolds'] = {
  call: async port => Promise.reject(new Error(`no Skaffold at ${port}`)),
  state: async port => Promise.reject(new Error(`no Skaffold at ${port}`)),
};

export async function serve(
  t: TestContext,
  { store: given, ...options }: Partial<ServiceOptions> & { store?: Store } = {},
): Promise<Served> {
  const log = options.log ?? new EventLog(() => new Date());
  const store = given ?? new Store(log);
  const service = await startEventService({
    ...{ log, store, skaffolds: noSkaffolds, version: '0.0.1', grpcPort: 0, httpPort: 0 },
    ...options,
  });
  t.after(() => service.close());
  return {
    log,
    store,
    service,
    notices(first, last, prefix = 'event') {
      for (let i = first; i <= last; i++)
        store.apply({ kind: 'notice', source: 'test', level: 'info', text: `${prefix} ${i}` });
    },
  };
}

/** Pours what the Skaffold at this port says, or another service, into a store until the test ends; the name of that source. */
export function readSkaffold(t: TestContext, store: Store, port: number): SourceName {
  const name = skaffoldSourceName(port);
  const run = followInto({
    watch(_name, source) {
      const feed = new Feed(source, store, error => assert.fail(String(error)));
      return { dispose: () => feed.dispose() };
    },
    name,
    about: { port, origin: 'given', name: `port ${port}` },
    open: signals => followSkaffold({ port, drainMs: 100, ...signals }),
  });
  t.after(() => run.dispose());
  return name;
}

/** A line of a stream, as it came. */
export type Line = Readonly<{
  result?: Readonly<{ timestamp: string; event: Readonly<Record<string, unknown>>; entry: string }>;
  error?: Readonly<{ code: number; message: string }>;
}>;

/** A reader over HTTP that can stop to read. */
export interface HttpReader {
  readonly lines: Line[];
  /** How it ended: `complete` with the final chunk, else an error's code. */
  readonly ended: Promise<string>;
  pause(): void;
  resume(): void;
  leave(): void;
}

export function readHttp(port: number, path = '/v1/events', host = '127.0.0.1'): Promise<HttpReader> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host, port, path, agent: false }, response => {
      const lines: Line[] = [];
      let rest = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        const parts = `${rest}${text}`.split('\n');
        rest = parts.pop()!;
        for (const part of parts) lines.push(JSON.parse(part) as Line);
      });
      const ended = new Promise<string>(done => {
        response.once('end', () => done(response.complete ? 'complete' : 'incomplete'));
        response.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
      });
      resolve({
        lines,
        ended,
        pause: () => response.pause(),
        resume: () => response.resume(),
        leave: () => response.destroy(),
      });
    });
    request.once('error', reject).end();
  });
}

/** A reader over gRPC. */
export interface GrpcReader {
  readonly entries: LogEntry[];
  /** Status of gRPC at the end. */
  readonly ended: Promise<{ code: number; details: string }>;
  pause(): void;
  resume(): void;
  leave(): void;
}

export function readGrpc(port: number, method: 'events' | 'eventLog' = 'events'): GrpcReader {
  const client = clientAt(port);
  const call = method === 'events' ? client.events({}) : client.eventLog();
  const entries: LogEntry[] = [];
  call.on('data', (entry: LogEntry) => entries.push(entry));
  const ended = new Promise<{ code: number; details: string }>(resolve => {
    call.on('error', () => undefined);
    call.on('status', status => {
      client.close();
      resolve(status);
    });
  });
  return { entries, ended, pause: () => call.pause(), resume: () => call.resume(), leave: () => call.cancel() };
}

export const clientAt = (port: number, host = '127.0.0.1'): SkaffoldServiceClient =>
  new SkaffoldServiceClient(`${host}:${port}`, credentials.createInsecure());

/** The lines for people, without the service's own first item. */
export const entriesOf = (reader: HttpReader | GrpcReader): string[] =>
  ('lines' in reader ? reader.lines.map(({ result }) => result?.entry ?? '') : reader.entries.map(e => e.entry)).slice(
    1,
  );

export const numbered = (first: number, last: number, prefix = 'event'): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => `${prefix} ${first + i}`);
