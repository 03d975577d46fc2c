import type { TestContext } from 'node:test';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { followInto } from '../../../src/core/followedRun.ts';
import type { ProcessEnd, SkaffoldLaunch, SkaffoldProcess } from '../../../src/core/runs.ts';
import { Store } from '../../../src/core/store.ts';
import { sleep } from '../../../src/lib/backoff.ts';
import { Emitter } from '../../../src/lib/emitter.ts';
import { aborted } from '../../../src/lib/abortable.ts';
import { BreakpodSession } from '../../../src/session/adapter.ts';
import type { SessionParts } from '../../../src/session/parts.ts';
import { followSkaffold } from '../../../src/skaffold/follow.ts';
import { skaffoldSourceName } from '../../../src/skaffold/sourceName.ts';
import { DapClient } from '../../support/dapClient.ts';
import { type ServerFaults, startSkaffoldServer } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';

/** A clock that a test turns on: who waits, waits until the test says that the time has passed. */
export class Clock {
  private readonly waiting = new Map<() => void, number>();

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.set(resolve, ms);
    await Promise.race([promise, aborted(signal)]);
    this.waiting.delete(resolve);
  };

  /** Lets those go on that wait so long, once somebody does. */
  async pass(ms: number): Promise<void> {
    const found = await eventually(`somebody who waits for ${ms} ms`, () => {
      const all = [...this.waiting].filter(([, limitMs]) => limitMs === ms);
      return all.length > 0 ? all : undefined;
    });
    for (const [resolve] of found) resolve();
  }

  /** How many wait. */
  get count(): number {
    return this.waiting.size;
  }
}

export const launch: SkaffoldLaunch = {
  ...{ name: 'shop', file: '/shop/skaffold.yaml', binary: 'skaffold', modules: [], profiles: [], args: [], env: {} },
  ...{ portForward: [], cleanUp: true },
};

const rules = { autoAttach: 'always', artifacts: new Map() } as const;

/** The debuggers of a session, and what is done to them. */
export interface FakeChildren {
  readonly did: string[];
  /** What `detachAll` gives. */
  late: Promise<readonly string[]>;
}

/** A session of type `breakpod` with a real store, log and gRPC client; processes and debuggers are the test's. */
export function session(t: TestContext, own: Partial<SessionParts> = {}, { drainMs = 300 } = {}) {
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  const children: FakeChildren = { did: [], late: Promise.resolve([]) };
  const watch: Parameters<typeof followInto>[0]['watch'] = (name, source) => {
    const feed = new Feed(source, store, error => log.append(unexpected(error)));
    const end = () => {
      feed.dispose();
      store.apply({ kind: 'source-removed', source: name });
    };
    t.after(end);
    return { dispose: end };
  };
  const parts: SessionParts = {
    launchOf: () => ({ launch, rules, cleanUpTimeoutMs: 30_000, drainTimeoutMs: drainMs }),
    joinOf: args => ({ name: 'given', rules, drainTimeoutMs: drainMs, ...(args as { port?: number }) }),
    preflight: () => Promise.resolve(['remark of the preflight']),
    start: () => Promise.reject(new Error('this test starts nothing')),
    follow: (about, limitMs) => {
      const { port } = about;
      const patienceMs = about.origin === 'launched' ? 60_000 : 1000;
      return followInto({
        ...{ watch, about, name: skaffoldSourceName(port) },
        open: signals => followSkaffold({ port, ...signals, drainMs: limitMs, patienceMs }),
      });
    },
    openChildren: source => {
      children.did.push(`open ${source?.replace(/\d+/, 'PORT') ?? 'all'}`);
      return {
        close: () => void children.did.push('close'),
        detachAll: () => {
          children.did.push('detach');
          return children.late;
        },
      };
    },
    ...{ store, log, sleep },
    ...own,
  };
  const adapter = new BreakpodSession(parts);
  t.after(() => adapter.dispose());
  return { client: new DapClient(adapter), adapter, store, log, children };
}

const unexpected = (error: unknown) =>
  ({ kind: 'noticeEvent', source: 'test', level: 'error', body: {}, entry: String(error) }) as const;

/** Stands for a process: says what it is told, and ends when the test wants. Its gRPC service is real. */
export class FakeProcess implements SkaffoldProcess {
  readonly port: number;
  readonly pid = 4711;
  readonly told: string[] = [];
  readonly ended: Promise<ProcessEnd>;
  readonly end: (end: ProcessEnd) => void;
  private readonly output = new Emitter<{ stream: 'stdout' | 'stderr'; text: string }>();
  readonly onOutput = this.output.event;

  constructor(port: number) {
    this.port = port;
    const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
    this.ended = promise;
    this.end = resolve;
  }

  print(text: string, stream: 'stdout' | 'stderr' = 'stdout'): void {
    this.output.fire({ stream, text });
  }

  interrupt = (): void => void this.told.push('interrupt');
  terminate = (): void => void this.told.push('terminate');
  leave = (): void => void this.told.push('leave');
  kill = (): void => {
    this.told.push('kill');
    this.end({ code: null, signal: 'SIGKILL' });
  };
}

/** A launched session whose Skaffold does what the test says. */
export async function launched(
  t: TestContext,
  {
    faults = {},
    drainMs = 300,
    own = {},
  }: { faults?: ServerFaults; drainMs?: number; own?: Partial<SessionParts> } = {},
) {
  const server = await startSkaffoldServer(faults);
  t.after(() => server.kill());
  const process = new FakeProcess(server.port);
  const all = session(t, { start: () => Promise.resolve(process), ...own }, { drainMs });
  await all.client.begin('launch');
  await all.client.said(/^Watching skaffold:/);
  return { server, process, ...all };
}
