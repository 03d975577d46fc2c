import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { markdown, median, type Table } from './table.ts';
import type { Usage } from './watchMode.ts';
import type { ServerStart } from './watchPods.ts';

/** Sizes of a run. */
export interface WatchBenchOptions {
  readonly pods: number;
  readonly changes: number;
  readonly debuggable: number;
  /** Each mode but kubectl is run this often, in turn; the middle figures count. */
  readonly rounds: number;
  /** A kubectl to measure; none when absent. */
  readonly kubectl?: string;
}

const modes = ['bytes', 'ours', 'ours-by-pages', 'informer'] as const;
type Mode = (typeof modes)[number];

const titles: Readonly<Record<Mode, string>> = {
  bytes: 'bare byte scan (TLS, a search per piece)',
  ours: 'pod watch',
  'ours-by-pages': 'pod watch, server without streaming lists',
  informer: 'client-node informer',
};

/** Lists and watches on a synthetic server with TLS, each mode in a process of its own. */
export async function watchBench(options: WatchBenchOptions): Promise<Table> {
  const { pods, changes, debuggable, rounds, kubectl } = options;
  const server = fork(script('watchServer.ts'), [pods, changes, debuggable].map(String));
  try {
    const [start] = (await once(server, 'message')) as [ServerStart];
    const all = new Map<Mode, Usage[]>(modes.map(mode => [mode, []]));
    for (let round = 0; round < rounds; round++)
      for (const mode of modes) all.get(mode)!.push(await usageOf(mode, start));
    const usages = new Map(modes.map(mode => [mode, middle(all.get(mode)!)]));
    const [floor, informer] = [usages.get('bytes')!, usages.get('informer')!];
    const rows = modes.map(mode => rowOf(titles[mode], usages.get(mode)!, floor, informer));
    if (kubectl)
      rows.push(rowOf('kubectl get -w -o json > /dev/null', await usageOfKubectl(kubectl, start), floor, informer));
    const size = `${pods} pods of ${(start.podBytes / 1000).toFixed(1)} kB, ${debuggable} debuggable, then ${changes} changes`;
    return {
      title: 'Watching pods (synthetic server)',
      note: `${size}; Node ${process.versions.node}, TLS; middle of ${rounds} rounds; memory over an idle process (kubectl: all of it).`,
      columns: [
        '',
        'CPU list',
        'CPU changes',
        'memory',
        'CPU × byte scan',
        'list × informer',
        'changes × informer',
        'memory × informer',
      ],
      rows,
    };
  } finally {
    server.kill();
  }
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function usageOf(mode: Mode, { port, authority }: ServerStart): Promise<Usage> {
  const child = fork(script('watchMode.ts'), [mode, String(port), authority]);
  const [usage] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${mode} ended without figures`))),
  ])) as [Usage];
  return usage;
}

/** kubectl does not tell when it has printed everything: it has when it uses no more CPU. */
async function usageOfKubectl(kubectl: string, { port }: ServerStart): Promise<Usage> {
  const server = ['--server', `https://127.0.0.1:${port}`, '--insecure-skip-tls-verify', '--token', 'x'];
  const child = spawn(kubectl, [...server, 'get', 'pods', '-A', '-w', '-o', 'json'], {
    stdio: 'ignore',
    env: { ...process.env, KUBECONFIG: '/dev/null' },
  });
  try {
    const listMs = await cpuWhenIdle(child);
    get({ host: '127.0.0.1', port, path: '/changes', rejectUnauthorized: false }, response => response.resume());
    const changesMs = (await cpuWhenIdle(child)) - listMs;
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
    return { listMs, changesMs, memory: peak };
  } finally {
    child.kill();
  }
}

async function cpuWhenIdle(child: ChildProcess): Promise<number> {
  let last = -1;
  for (let now = 0; now < 20 || now !== last;) {
    last = now;
    await delay(1500);
    if (child.exitCode !== null) throw new Error(`kubectl ended with exit code ${child.exitCode}`);
    const [, , ...fields] = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      .replace(/\(.*\)/, 'name')
      .split(' ');
    now = (Number(fields[11]) + Number(fields[12])) * 10; // hundredths of a second on every Linux
  }
  return last;
}

const middle = (usages: readonly Usage[]): Usage => ({
  listMs: median(usages.map(usage => usage.listMs)),
  changesMs: median(usages.map(usage => usage.changesMs)),
  memory: median(usages.map(usage => usage.memory)),
});

function rowOf(title: string, usage: Usage, floor: Usage, informer: Usage): readonly string[] {
  const ms = (value: number) => `${Math.round(value)} ms`;
  const ratio = (value: number, base: number) => (value / base).toFixed(2);
  const total = ({ listMs, changesMs }: Usage) => listMs + changesMs;
  return [
    title,
    ms(usage.listMs),
    ms(usage.changesMs),
    `${Math.round(usage.memory / 1e6)} MB`,
    ratio(total(usage), total(floor)),
    ratio(usage.listMs, informer.listMs),
    ratio(usage.changesMs, informer.changesMs),
    ratio(usage.memory, informer.memory),
  ];
}

/** `node watch.ts [pods [changes [debuggable [rounds [kubectl]]]]]` */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [pods = 3000, changes = 5000, debuggable = 30, rounds = 3] = process.argv.slice(2, 6).map(Number);
  const kubectl = process.argv[6];
  console.log(markdown(await watchBench({ pods, changes, debuggable, rounds, ...(kubectl ? { kubectl } : {}) })));
}
