import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMs, peakMib } from './processUsage.ts';
import { median, ratio, type Table } from './table.ts';
import type { ServerStart } from './watchPods.ts';
import type { Usage } from './watchUsage.ts';

/** A server with pods, and a way to change them. */
export interface WatchLoad {
  readonly kubeconfig: string;
  /** Where and how many, for people. */
  readonly what: string;
  /** Changes statuses, then adds a pod of this name; takes that pod away when `isOver` resolves. */
  change(lastName: string, isOver: Promise<unknown>): Promise<void>;
}

/** Sizes of a run. */
export interface WatchBenchOptions {
  /** `watchMode.ts`, bundled. */
  readonly bundle: string;
  /** Each mode but kubectl is run this often, in turn; the middle figures count. */
  readonly rounds: number;
  /** A kubectl to measure; none when absent. */
  readonly kubectl?: string;
}

const modes = ['bytes', 'ours', 'ours-by-pages', 'informer'] as const;
type Mode = (typeof modes)[number];

const titles: Readonly<Record<Mode, string>> = {
  bytes: 'bare byte scan (TLS, a search per piece)',
  ours: 'Breakpod',
  'ours-by-pages': 'Breakpod, server without streaming lists',
  informer: 'client-node informer',
};

const columns = [
  '',
  'CPU list',
  'CPU changes',
  'memory',
  'list × byte scan',
  'changes × byte scan',
  'CPU × byte scan',
  'list × informer',
  'changes × informer',
  'memory × informer',
];

/** Lists and watches all pods of a server, each mode in a process of its own. */
export async function watchBench(load: WatchLoad, options: WatchBenchOptions): Promise<Table> {
  const { rounds, kubectl, bundle } = options;
  const all = new Map<Mode, Usage[]>(modes.map(mode => [mode, []]));
  for (let round = 0; round < rounds; round++)
    for (const mode of round % 2 ? modes.toReversed() : modes)
      all.get(mode)!.push(await usageOf(mode, bundle, load, round));
  const [floor, informer] = [all.get('bytes')!, all.get('informer')!];
  const rows = modes.map(mode => rowOf(titles[mode], all.get(mode)!, floor, informer));
  if (kubectl)
    rows.push(rowOf('kubectl get pods -A -w -o json', [await usageOfKubectl(kubectl, load)], floor, informer));
  return {
    title: 'Watching pods',
    note:
      `${load.what}, TLS; middle of ${rounds} rounds${kubectl ? ' (kubectl: one)' : ''}; memory over an idle process ` +
      '(kubectl: all of it). Budget: CPU × byte scan 1.2; × informer 0.15 (list), 0.3 (changes), 0.1 (memory), ' +
      'and where the byte scan itself needs more than that, nothing that uses TLS can keep it.',
    columns,
    rows,
  };
}

/** A synthetic server on the loopback, in a process of its own, while `use` runs. */
export async function withSyntheticPods<T>(
  { pods, changes, debuggable }: { pods: number; changes: number; debuggable: number },
  use: (load: WatchLoad) => Promise<T>,
): Promise<T> {
  const server = fork(script('watchServer.ts'), [pods, changes, debuggable].map(String));
  try {
    const [{ kubeconfig, podBytes }] = (await once(server, 'message')) as [ServerStart];
    const size = `${pods} pods of ${(podBytes / 1000).toFixed(1)} kB, ${debuggable} debuggable`;
    return await use({
      kubeconfig,
      what: `Synthetic server: ${size}, then ${changes} changes`,
      change: async lastName => void server.send(lastName),
    });
  } finally {
    server.kill();
  }
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function usageOf(mode: Mode, bundle: string, load: WatchLoad, round: number): Promise<Usage> {
  const last = `last-${round}-${mode}`;
  const child =
    mode === 'informer'
      ? fork(script('watchInformer.ts'), [load.kubeconfig, last])
      : fork(bundle, [mode, load.kubeconfig, last]);
  const exited = once(child, 'exit');
  const said = exited.then(() => Promise.reject(new Error(`${mode} ended without figures`)));
  const next = async () => ((await Promise.race([once(child, 'message'), said])) as [unknown])[0];
  try {
    await next(); // listed
    const [usage] = await Promise.all([next(), load.change(last, exited)]);
    return usage as Usage;
  } finally {
    child.kill();
    await exited;
  }
}

/** kubectl does not tell when it has printed everything: it has when it uses no more CPU. */
async function usageOfKubectl(kubectl: string, load: WatchLoad): Promise<Usage> {
  const args = ['--kubeconfig', load.kubeconfig, 'get', 'pods', '-A', '-w', '-o', 'json'];
  const child = spawn(kubectl, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  try {
    const listMs = await cpuWhenIdle(child);
    await load.change('last-of-all', exited);
    const changesMs = (await cpuWhenIdle(child)) - listMs;
    return { listMs, changesMs, memory: peakMib(child.pid!) * 2 ** 20 };
  } finally {
    child.kill();
    await exited;
  }
}

async function cpuWhenIdle(child: ChildProcess): Promise<number> {
  let last = -1;
  for (let now = 0; now < 20 || now > last + 20;) {
    last = now;
    await delay(1500);
    if (child.exitCode !== null) throw new Error(`kubectl ended with exit code ${child.exitCode}`);
    now = cpuMs(child.pid!);
  }
  return last;
}

const figures: Readonly<Record<string, (usage: Usage) => number>> = {
  list: usage => usage.listMs,
  changes: usage => usage.changesMs,
  memory: usage => usage.memory,
  total: usage => usage.listMs + usage.changesMs,
};

function rowOf(
  title: string,
  usages: readonly Usage[],
  floor: readonly Usage[],
  informer: readonly Usage[],
): readonly string[] {
  const of = (name: string, from = usages) => from.map(figures[name]!);
  return [
    title,
    `${Math.round(median(of('list')))} ms`,
    `${Math.round(median(of('changes')))} ms`,
    `${Math.round(median(of('memory')) / 1e6)} MB`,
    ...['list', 'changes', 'total'].map(name => ratio(of(name), of(name, floor))),
    ...['list', 'changes', 'memory'].map(name => ratio(of(name), of(name, informer))),
  ];
}
