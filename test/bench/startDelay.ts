import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnNode } from './ownNode.ts';
import { deletePod, namespace, startDebuggable } from './realLoad.ts';
import type { RealCluster } from './realNode.ts';
import { median, type Table } from './table.ts';

/** What is run, and how often. */
export interface StartBenchOptions {
  /** `rowMode.ts`, bundled. */
  readonly bundle: string;
  readonly kubectl: string;
  readonly starts: number;
}

const LIMIT_MS = 60_000;

/** From the start of a container, as the container runtime notes it for the kubelet, to our row and to kubectl's line. */
export async function startBench(
  cluster: RealCluster,
  node: OwnNode,
  { bundle, kubectl, starts }: StartBenchOptions,
): Promise<Table> {
  const kubectlArgs = ['--kubeconfig', node.kubeconfig, 'get', 'pods', '-n', namespace, '-w', '--no-headers'];
  const ours = fork(bundle, [node.kubeconfig, namespace], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const theirs = spawn(kubectl, kubectlArgs, { stdio: ['ignore', 'pipe', 'inherit'] });
  const watchers = [new Lines(ours), new Lines(theirs)] as const;
  try {
    await delay(2000); // both have opened their watches
    const rounds: { row: number; line: number }[] = [];
    for (let n = 0; n < starts; n++) {
      const pod = `start-${n}`;
      const containerId = await startDebuggable(cluster, pod, node.image);
      const [row, line] = await Promise.all(watchers.map(lines => lines.timeOf(new RegExp(`^${pod} .*Running`))));
      const started = startOf(node, containerId);
      rounds.push({ row: row! - started, line: line! - started });
      await deletePod(cluster, pod);
    }
    return tableOf(rounds);
  } finally {
    for (const { child } of watchers) child.kill();
  }
}

/** What a program prints, with the moment of each line. */
class Lines {
  readonly child: ChildProcess;
  private readonly heard: { readonly text: string; readonly at: number }[] = [];

  constructor(child: ChildProcess) {
    this.child = child;
    createInterface({ input: child.stdout! }).on('line', text =>
      this.heard.push({ text, at: performance.timeOrigin + performance.now() }),
    );
  }

  /** When a line came, in milliseconds since 1970. Throws when none comes for long. */
  async timeOf(line: RegExp): Promise<number> {
    const end = Date.now() + LIMIT_MS;
    while (Date.now() < end) {
      const found = this.heard.find(({ text }) => line.test(text));
      if (found) return found.at;
      await delay(20); // the moment is noted when a line comes
    }
    const said = this.heard.map(({ text }) => text).join('\n');
    throw new Error(`${this.child.spawnfile} has not printed ${line} but: ${said}`);
  }
}

/** containerd's log: `time="…" level=info msg="StartContainer for \"<id>\" returns successfully"`. */
function startOf({ runtimeLog }: OwnNode, containerId: string): number {
  const line = new RegExp(`^time="([^"]+)" .*StartContainer for ..${containerId}.. returns successfully`, 'm');
  const time = line.exec(readFileSync(runtimeLog, 'utf8'))?.[1];
  if (!time) throw new Error(`the log of the container runtime has no start of ${containerId}`);
  return Date.parse(time);
}

function tableOf(rounds: readonly { readonly row: number; readonly line: number }[]): Table {
  const row = (title: string, values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const later = rounds.map(({ line }, n) => values[n]! - line);
    const ratio = median(rounds.map(({ line }, n) => values[n]! / line)).toFixed(2);
    return [
      title,
      ...[median(values), sorted[0]!, sorted.at(-1)!].map(ms => `${ms.toFixed(1)} ms`),
      ratio,
      `${median(later).toFixed(1)} ms`,
    ];
  };
  return {
    title: 'Start of a container to row',
    note:
      `${rounds.length} starts, both programs watching the same ones; from the moment that the container runtime notes for ` +
      'the kubelet (which looks once a second, then tells the API server) to the row, or the line. Ratios and differences ' +
      "start by start, the middle of them. Budget: at most kubectl's.",
    columns: ['', 'median', 'shortest', 'longest', '× kubectl', 'after kubectl'],
    rows: [
      row(
        'kubectl get pods -w',
        rounds.map(({ line }) => line),
      ),
      row(
        'Breakpod',
        rounds.map(({ row: value }) => value),
      ),
    ],
  };
}
