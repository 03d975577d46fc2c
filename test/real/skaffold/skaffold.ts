// The user's own Skaffold, as a process of the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../support/listeners.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import { bin } from '../cluster/paths.ts';
import { run, until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { EventStream } from './eventStream.ts';
import { type Project, registryOf } from './project.ts';

const program = process.env['SKAFFOLD'];

/** Why nothing here can run, as a sentence; undefined where it can. */
export const withoutSkaffold: string | undefined = program
  ? undefined
  : 'SKAFFOLD is not set. It names the program: SKAFFOLD=/usr/local/bin/skaffold npm run test:skaffold';

export interface SkaffoldOptions {
  readonly cluster: Cluster;
  readonly project: Project;
  /** Where the debug support images are, as `pushSupportImages` gives it. */
  readonly supportImages: string;
  /** A folder for all that Skaffold keeps in its user's home. */
  readonly home: string;
}

/** A `skaffold debug` in the namespace `shop`. */
export class Skaffold {
  readonly rpcPort: number;
  readonly v1: EventStream;
  readonly v2: EventStream;
  private readonly httpPort: number;
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;
  private readonly over: AbortSignal;
  private said = '';

  /** Starts it; what comes of that is told by `iteration`. */
  static async start(options: SkaffoldOptions): Promise<Skaffold> {
    const [rpcPort, httpPort] = [await freePort(), await freePort()];
    const child = spawn(program!, ['debug', ...flagsFor(options, rpcPort, httpPort)], {
      cwd: options.project.folder,
      env: await environmentFor(options),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a process group of its own: builders and kubectl end with it
    });
    return new Skaffold(child, rpcPort, httpPort);
  }

  private constructor(child: ChildProcess, rpcPort: number, httpPort: number) {
    this.child = child;
    this.rpcPort = rpcPort;
    this.httpPort = httpPort;
    const keep = (chunk: Buffer | Error) => (this.said += String(chunk));
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', keep);
    child.on('error', keep);
    // A test process that is ended before its time has to take Skaffold along.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
    process.once('exit', () => this.signal('SIGKILL'));
    this.ended = new Promise(resolve => child.once('close', resolve)); // also when it could not be started
    const over = new AbortController();
    this.over = over.signal;
    void this.ended.then(code => over.abort(`Skaffold has ended with ${code}`));
    this.v1 = new EventStream(`http://127.0.0.1:${httpPort}/v1/events`, this.over);
    this.v2 = new EventStream(`http://127.0.0.1:${httpPort}/v2/events`, this.over);
  }

  /** Waits until building and deploying is through for the n-th time, from 0 on. Throws what Skaffold said when it fails. */
  async iteration(n: number): Promise<void> {
    const loop = await this.waitFor(`iteration ${n}`, () =>
      this.loops.find(({ iteration, status }) => iteration === n && status !== 'In Progress'),
    );
    if (loop.status !== 'Succeeded') throw new Error(`iteration ${n}: ${loop.status}\n${this.lastWords}`);
  }

  /** Has it build and deploy what was edited, as an editor's button does, for the n-th time; waits until that is through. */
  async redeploy(n: number): Promise<void> {
    await this.waitFor(`the start of iteration ${n}`, async () => {
      const intent = { method: 'POST', body: '{"devloop":true}', signal: AbortSignal.timeout(10_000) };
      await fetch(`http://127.0.0.1:${this.httpPort}/v1/execute`, intent);
      // It does nothing when it has not yet seen the edit.
      const start = until('it', () => this.loops.some(({ iteration }) => iteration === n), { timeoutMs: 5_000 });
      return start.catch(() => false);
    });
    await this.iteration(n);
  }

  /** Ends it as Ctrl+C does, and gives its exit code; null when it had to be killed. */
  async stop(): Promise<number | null> {
    const killer = setTimeout(() => this.signal('SIGKILL'), 90_000);
    this.signal('SIGINT');
    const code = await this.ended;
    clearTimeout(killer);
    this.signal('SIGKILL'); // what may be left of its children
    await Promise.all([this.v1.ended, this.v2.ended]);
    await this.record();
    return code;
  }

  /** BREAKPOD_RECORDINGS names a folder in which both streams are kept, as `test/fixtures/recordings` has them. */
  private async record(): Promise<void> {
    const folder = process.env['BREAKPOD_RECORDINGS'];
    if (!folder) return;
    for (const [api, { lines }] of Object.entries({ v1: this.v1, v2: this.v2 }))
      await writeFile(join(folder, `skaffold.${api}.ndjson`), `${lines.join('\n')}\n`);
  }

  /** The end of what it has printed. */
  get lastWords(): string {
    return this.said.trim().split('\n').slice(-40).join('\n');
  }

  private get loops() {
    return this.v1.events.flatMap(({ event }) => event.devLoopEvent ?? []);
  }

  private async waitFor<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
    try {
      const patience = { timeoutMs: 400_000, signal: this.over };
      return await until(what, look as () => Promise<NonNullable<T>>, patience);
    } catch (error) {
      const how = this.over.aborted ? `${String(this.over.reason)} before ${what}` : String(error);
      throw new Error(`${how}\n${this.lastWords}`, { cause: error });
    }
  }

  private signal(signal: NodeJS.Signals): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, signal);
    } catch {
      // They have all ended.
    }
  }
}

const flagsFor = (options: SkaffoldOptions, rpcPort: number, httpPort: number): string[] => [
  ...['--kubeconfig', kubeconfigOf(options.cluster, 'admin'), '--namespace', 'shop'],
  ...['--rpc-port', String(rpcPort), '--rpc-http-port', String(httpPort)],
  ...['--interactive=false', '--update-check=false', '--tail=false'],
  ...settingsFor(options),
];

/** What the cluster and its registry need, whoever starts it. */
export const settingsFor = ({ cluster, home }: Pick<SkaffoldOptions, 'cluster' | 'home'>): string[] => [
  ...['--default-repo', registryOf(cluster), '--insecure-registry', registryOf(cluster)],
  ...['--config', join(home, 'config'), '--cache-artifacts=false', '--detect-minikube=false'],
];

/** Its settings, and an environment in which it finds kubectl, crane and Go's build cache, and nothing of the user's own. */
export async function environmentFor({
  home,
  supportImages,
}: Pick<SkaffoldOptions, 'home' | 'supportImages'>): Promise<NodeJS.ProcessEnv> {
  await mkdir(home, { recursive: true });
  const global = { 'debug-helpers-registry': supportImages, 'collect-metrics': false, 'update-check': false };
  await writeFile(join(home, 'config'), JSON.stringify({ global, kubeContexts: [] })); // YAML is a superset of JSON
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SKAFFOLD') && name !== 'KUBECONFIG');
  const cache = await run('go', ['env', 'GOCACHE', 'GOMODCACHE']).catch(() => '');
  const [GOCACHE, GOMODCACHE] = cache.split('\n');
  const path = [dirname(bin('kubectl')), process.env['PATH']].join(delimiter);
  return { ...Object.fromEntries(own), ...(GOCACHE ? { GOCACHE, GOMODCACHE } : {}), HOME: home, PATH: path };
}
