import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { get, put } from './forwardLoad.ts';
import { clientNode, type ForwardBenchTarget, type Programs, type Way, waysOf, withForward } from './forwardWays.ts';
import { cpuMs, forgetPeak, peakMib, residentMib } from './processUsage.ts';
import { median, ratio, type Table } from './table.ts';

/** Sizes of a run. */
export interface ForwardBenchOptions extends Programs {
  /** A server of our own when absent. */
  readonly target?: ForwardBenchTarget;
  /** Each way is run this often, in turn; the middle figures count. */
  readonly rounds: number;
  readonly mib: number;
  /** Connections whose first byte is timed, per round. */
  readonly connections: number;
}

interface Figures {
  readonly first: number;
  readonly connectCpu: number;
  readonly down: number;
  readonly downCpu: number;
  readonly up: number;
  readonly upCpu: number;
  /** Largest resident memory, and what of it came with the load: each way by itself, and both. */
  readonly growthDown: number;
  readonly growth: number;
  readonly peak: number;
}

const columns = [
  '',
  'first byte ms',
  'CPU ms per connection',
  'down ms',
  'CPU ms',
  'up ms',
  'CPU ms',
  'over idle after down MiB',
  'over idle MiB',
  'peak RSS MiB',
];

/** Forwards one port in each way, each in a process of its own, and loads it. */
export async function forwardBench(options: ForwardBenchOptions): Promise<Table> {
  const server = options.target ? undefined : fork(fileURLToPath(new URL('forwardServer.ts', import.meta.url)));
  try {
    const target = options.target ?? (await targetOf(server!));
    const ways = [...waysOf(options), clientNode];
    const all = new Map<string, Figures[]>(ways.map(({ title }) => [title, []]));
    for (let round = 0; round < options.rounds; round++)
      for (const way of round % 2 ? ways.toReversed() : ways)
        all.get(way.title)!.push(await measure(way, target, options));
    return {
      title: 'Port-forward',
      note:
        `${options.mib} MiB each way, ${options.connections} connections, TLS, ` +
        `${options.target ? 'a real node' : 'server of the demo cluster'}; middle of ${options.rounds} rounds; in ` +
        "brackets the middle of each round's ratio to kubectl over the same transport (v4, client-node: over the " +
        'WebSocket). Budget: at most 1.00.',
      columns,
      rows: ways.map(({ title, base }) => rowOf(title, all.get(title)!, all.get(base) ?? all.get(ways[0]!.title)!)),
    };
  } finally {
    server?.kill();
  }
}

async function targetOf(server: ChildProcess): Promise<ForwardBenchTarget> {
  const [kubeconfig] = (await once(server, 'message')) as [string];
  return { kubeconfig, namespace: 'shop', pod: 'web', port: 8081 };
}

const measure = (way: Way, target: ForwardBenchTarget, { mib, connections }: ForwardBenchOptions): Promise<Figures> =>
  withForward(way, target, async ({ child, port }) => {
    const pid = child.pid!;
    await get(port, 0);
    await delay(300);
    const idle = residentMib(pid);
    forgetPeak(pid);
    const firsts: number[] = [];
    const connectCpu = await cpuOf(pid, async () => {
      for (let count = 0; count < connections; count++) {
        firsts.push((await get(port, 0)).first);
        await delay(5);
      }
    });
    let [down, up] = [0, 0];
    const downCpu = await cpuOf(pid, async () => (down = (await get(port, mib)).all));
    const growthDown = peakMib(pid) - idle;
    const upCpu = await cpuOf(pid, async () => (up = await put(port, mib)));
    const peak = peakMib(pid);
    return {
      first: median(firsts),
      connectCpu: connectCpu / connections,
      down,
      downCpu,
      up,
      upCpu,
      growthDown,
      growth: peak - idle,
      peak,
    };
  });

async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid);
  await work();
  return cpuMs(pid) - before;
}

const names = ['first', 'connectCpu', 'down', 'downCpu', 'up', 'upCpu', 'growthDown', 'growth', 'peak'] as const;

const rowOf = (title: string, rounds: readonly Figures[], base: readonly Figures[]): string[] => [
  title,
  ...names.map(name => {
    const values = rounds.map(figures => figures[name]);
    const value = median(values);
    const against = base.map(figures => figures[name]);
    return `${value < 20 ? value.toFixed(1) : Math.round(value)} (${ratio(values, against)})`;
  }),
];
