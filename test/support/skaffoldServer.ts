import { setTimeout as delay } from 'node:timers/promises';
import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import {
  type Event as EventV1,
  type LogEntry,
  type SkaffoldServiceServer,
  SkaffoldServiceService,
} from '../../src/proto/gen/v1.ts';
import { type Event as EventV2, SkaffoldV2ServiceService } from '../../src/proto/gen/v2.ts';

/** A real gRPC server with Skaffold's two services, told what to do by a test. */
export interface SkaffoldServer {
  readonly port: number;
  /** How often each stream has been opened. */
  readonly opened: Record<'v1' | 'v2' | 'logs', number>;
  /** How many streams the client has cut before their replay was read, which locks Skaffold up. */
  readonly cutInReplay: number;
  /** Sends to all that read, and keeps it for the replay of those that come. */
  v1(...entries: (LogEntry | Buffer)[]): void;
  v2(...events: EventV2[]): void;
  /** What a container prints. */
  prints(pod: string, container: string, message: string): void;
  /** Ends all streams, or those of v2 alone: with OK, or with another status of gRPC. */
  endStreams(code?: status, which?: 'all' | 'v2'): void;
  /** Tells that it will end (GOAWAY) and takes no more connections; streams go on. */
  goAway(): void;
  /** Ends at once, as a process does: connections break. */
  kill(): void;
}

export interface ServerFaults {
  /** Replays this before anything else, in this order. */
  readonly replay?: readonly LogEntry[];
  /** Waits so long between two entries of a replay. */
  readonly replayPauseMs?: number;
  readonly hasNoV2?: boolean;
  readonly hasNoLogs?: boolean;
  readonly hasNoV1?: boolean;
  /** What else v1 answers to; by default nothing but its events. */
  readonly v1Calls?: Partial<SkaffoldServiceServer>;
  readonly port?: number;
}

type Reader = ServerWritableStream<unknown, unknown>;

class Stream<T> {
  readonly kept: T[] = [];
  readonly readers = new Set<Reader>();
  opened = 0;
  cutInReplay = 0;
  private readonly pauseMs: number;

  constructor(pauseMs = 0) {
    this.pauseMs = pauseMs;
  }

  readonly open = (call: Reader): void => {
    this.opened++;
    this.readers.add(call);
    call.on('cancelled', () => this.readers.delete(call));
    if (this.pauseMs === 0) for (const one of this.kept) call.write(one);
    else void this.replaySlowly(call, [...this.kept]);
  };

  private async replaySlowly(call: Reader, all: readonly T[]): Promise<void> {
    for (const one of all) {
      call.write(one);
      await delay(this.pauseMs);
      if (call.cancelled) return void this.cutInReplay++;
    }
  }

  send(all: readonly T[]): void {
    this.kept.push(...all);
    for (const reader of this.readers) for (const one of all) reader.write(one);
  }
}

/** Sends bytes as they are, too. */
const withBytes = {
  ...SkaffoldServiceService,
  events: {
    ...SkaffoldServiceService.events,
    responseSerialize: (entry: LogEntry | Buffer): Buffer =>
      Buffer.isBuffer(entry) ? entry : SkaffoldServiceService.events.responseSerialize(entry),
  },
};

/** Starts on a free port of the loopback. */
export async function startSkaffoldServer(faults: ServerFaults = {}): Promise<SkaffoldServer> {
  const v1 = new Stream<LogEntry | Buffer>(faults.replayPauseMs);
  const v2 = new Stream<EventV2>();
  const logs = new Stream<EventV2>();
  const applicationLogs = faults.hasNoLogs ? {} : { applicationLogs: logs.open };
  v1.kept.push(...(faults.replay ?? []));
  const server = new Server();
  if (!faults.hasNoV1) server.addService(withBytes, { ...faults.v1Calls, events: v1.open });
  if (!faults.hasNoV2) server.addService(SkaffoldV2ServiceService, { ...applicationLogs, events: v2.open });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${faults.port ?? 0}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return {
    port,
    get opened() {
      return { v1: v1.opened, v2: v2.opened, logs: logs.opened };
    },
    get cutInReplay() {
      return v1.cutInReplay;
    },
    v1: (...entries) => v1.send(entries),
    v2: (...events) => v2.send(events),
    prints: (podName, containerName, message) =>
      logs.send([
        v2Event(logs.kept.length, {
          applicationLogEvent: { podName, containerName, message, prefix: '', richFormattedMessage: message },
        }),
      ]),
    endStreams(code = status.OK, which = 'all') {
      for (const { readers } of which === 'v2' ? [v2] : [v1, v2, logs])
        for (const reader of readers) {
          if (code === status.OK) reader.end();
          else reader.emit('error', { code, details: 'as the test wants' });
          readers.delete(reader);
        }
    },
    goAway: () => server.tryShutdown(() => undefined),
    kill: () => server.forceShutdown(),
  };
}

/** An entry of v1, so many seconds after the hour. */
export const v1Entry = (second: number, event: EventV1, entry = ''): LogEntry => ({
  timestamp: { seconds: HOUR + second, nanos: 0 },
  event,
  entry,
});

export const v2Event = (second: number, event: Omit<EventV2, 'timestamp'>): EventV2 => ({
  timestamp: { seconds: HOUR + second, nanos: 0 },
  ...event,
});

const HOUR = Date.parse('2026-11-30T21:00:00Z') / 1000;

/** A debugging event of a container `web` in a pod with this name. */
export const debugging = (pod: string, statusText: 'Started' | 'Terminated'): EventV1 => ({
  debuggingContainerEvent: {
    ...{ status: statusText, podName: pod, containerName: 'web', namespace: 'shop', artifact: 'shop-web' },
    ...{ runtime: 'nodejs', workingDir: '/app', debugPorts: { devtools: 9229 } },
  },
});
