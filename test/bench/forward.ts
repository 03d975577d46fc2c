import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { get, put } from './forwardLoad.ts';
import { cpuMs, forgetPeak, peakMib, residentMib } from './processUsage.ts';
import { median, ratio, type Table } from './table.ts';

/** A port of a pod that answers GET /N with N MiB and a POST with anything. */
export interface ForwardBenchTarget {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** Sizes of a run. */
export interface ForwardBenchOptions {
  /** `forwardMode.ts`, bundled. */
  readonly bundle: string;
  /** A server of our own when absent. */
  readonly target?: ForwardBenchTarget;
  /** Each way is run this often, in turn; the middle figures count. */
  readonly rounds: number;
  readonly mib: number;
  /** Connections whose first byte is timed, per round. */
  readonly connections: number;
  /** A kubectl to measure; none when absent. */
  readonly kubectl?: string;
}

interface Way {
  readonly title: string;
  start(target: ForwardBenchTarget): Promise<{ child: ChildProcess; port: number }>;
}

interface Figures {
  readonly first: number;
  readonly connectCpu: number;
  readonly down: number;
  readonly downCpu: number;
  readonly up: number;
  readonly upCpu: number;
  /** Largest resident memory, and what of it came with the load. */
  readonly peak: number;
  readonly growth: number;
}

/** Forwards one port in each way, each in a process of its own, and loads it. */
export async function forwardBench(options: ForwardBenchOptions): Promise<Table> {
  const server = options.target ? undefined : fork(script('forwardServer.ts'));
  try {
    const target = options.target ?? (await targetOf(server!));
    const ways = [...(options.kubectl ? kubectlWays(options.kubectl) : []), ...programWays(options.bundle)];
    const all = new Map<Way, Figures[]>(ways.map(way => [way, []]));
    for (let round = 0; round < options.rounds; round++)
      for (const way of round % 2 ? ways.toReversed() : ways) all.get(way)!.push(await measure(way, target, options));
    return {
      title: 'Port-forward',
      note:
        `${options.mib} MiB each way, ${options.connections} connections, TLS, ` +
        `${options.target ? 'a real node' : 'server of the demo cluster'}; ` +
        `middle of ${options.rounds} rounds; in brackets the middle of each round's ratio to the first row. ` +
        'Budget for the first transport: times and CPU at most those of kubectl.',
      columns: [
        '',
        'first byte ms',
        'CPU ms per connection',
        'down ms',
        'CPU ms',
        'up ms',
        'CPU ms',
        'peak RSS MiB',
        'over idle MiB',
      ],
      rows: ways.map(way => rowOf(way.title, all.get(way)!, all.get(ways[0]!)!)),
    };
  } finally {
    server?.kill();
  }
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function targetOf(server: ChildProcess): Promise<ForwardBenchTarget> {
  const [kubeconfig] = (await once(server, 'message')) as [string];
  return { kubeconfig, namespace: 'shop', pod: 'web', port: 8081 };
}

const kubectlWays = (kubectl: string): readonly Way[] => [
  { title: 'kubectl (WebSocket)', start: target => startKubectl(kubectl, target, 'true') },
  { title: 'kubectl (SPDY)', start: target => startKubectl(kubectl, target, 'false') },
];

const programWays = (bundle: string): readonly Way[] => [
  { title: 'client-node PortForward', start: target => startProgram(script('forwardClientNode.ts'), [], target) },
  { title: 'Breakpod, SPDY', start: target => startProgram(bundle, ['spdy'], target) },
  { title: 'Breakpod, SPDY in a WebSocket', start: target => startProgram(bundle, ['tunnel'], target) },
  { title: 'Breakpod, v4', start: target => startProgram(bundle, ['v4'], target) },
];

async function startKubectl(
  kubectl: string,
  { kubeconfig, namespace, pod, port }: ForwardBenchTarget,
  webSockets: string,
) {
  const child = spawn(
    kubectl,
    ['--kubeconfig', kubeconfig, '-n', namespace, 'port-forward', `pod/${pod}`, `:${port}`],
    {
      env: { ...process.env, KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  const local = await new Promise<number>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      said += chunk.toString();
      const found = /127\.0\.0\.1:(\d+) ->/.exec(said)?.[1];
      if (found) resolve(Number(found));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', () => reject(new Error(`kubectl: ${said}`)));
  });
  return { child, port: local };
}

async function startProgram(
  program: string,
  args: readonly string[],
  { kubeconfig, namespace, pod, port }: ForwardBenchTarget,
) {
  const child = fork(program, [...args, kubeconfig, namespace, pod, String(port)]);
  const [local] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('it ended before it listened'))),
  ])) as [number];
  return { child, port: local };
}

async function measure(way: Way, target: ForwardBenchTarget, options: ForwardBenchOptions): Promise<Figures> {
  const { child, port } = await way.start(target);
  const exited = once(child, 'exit');
  const pid = child.pid!;
  try {
    await get(port, 0);
    await delay(300);
    const idle = residentMib(pid);
    forgetPeak(pid);
    const firsts: number[] = [];
    const connectCpu = await cpuOf(pid, async () => {
      for (let count = 0; count < options.connections; count++) {
        firsts.push((await get(port, 0)).first);
        await delay(5);
      }
    });
    let [down, up] = [0, 0];
    const downCpu = await cpuOf(pid, async () => (down = (await get(port, options.mib)).all));
    const upCpu = await cpuOf(pid, async () => (up = await put(port, options.mib)));
    const peak = peakMib(pid);
    return {
      first: median(firsts),
      connectCpu: connectCpu / options.connections,
      down,
      downCpu,
      up,
      upCpu,
      peak,
      growth: peak - idle,
    };
  } catch (error) {
    throw new Error(`${way.title} failed`, { cause: error });
  } finally {
    child.kill();
    await exited;
  }
}

async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid);
  await work();
  return cpuMs(pid) - before;
}

const names = ['first', 'connectCpu', 'down', 'downCpu', 'up', 'upCpu', 'peak', 'growth'] as const;

const rowOf = (title: string, rounds: readonly Figures[], base: readonly Figures[]): string[] => [
  title,
  ...names.map(name => {
    const values = rounds.map(figures => figures[name]);
    const value = median(values);
    const against = base.map(figures => figures[name]);
    return `${value < 20 ? value.toFixed(1) : Math.round(value)} (${ratio(values, against)})`;
  }),
];
