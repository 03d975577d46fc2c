import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { sleep } from '../../lib/backoff.ts';
import { rfc3339 } from '../api/objects.ts';
import { ContainerLog } from './log.ts';
import { releasePort, reservePort } from './ports.ts';
import type { Exit, GroupProcess, Processes } from './processes.ts';
import { portsOf, type AddressOf, type ContainerTemplate } from './template.ts';

/** One run of a container: a process, the ports that it has, and what it wrote. */
export class ContainerRun {
  readonly id = `containerd://${randomBytes(32).toString('hex')}`;
  readonly startedAt = rfc3339();
  readonly log = new ContainerLog();
  readonly process: GroupProcess;
  /** Container port → port on 127.0.0.1. */
  readonly ports: ReadonlyMap<number, number>;
  readonly ended: Promise<Exit>;
  ready: boolean;
  onReady: () => void = () => undefined;
  private readonly template: ContainerTemplate;
  private readonly processes: Processes;
  private readonly env: Readonly<Record<string, string>>;
  private readonly ending = new AbortController();
  /** Aborts when the program has ended. */
  readonly over = this.ending.signal;
  private readonly guests = new Set<GroupProcess>();

  /** Takes free ports and starts the program; a program that cannot be started ends with a `failure`. */
  static async start(
    template: ContainerTemplate,
    of: { podName: string; processes: Processes },
  ): Promise<ContainerRun> {
    const ports = new Map<number, number>();
    for (const port of portsOf(template)) ports.set(port, await reservePort());
    return new ContainerRun(template, of, ports);
  }

  private constructor(
    template: ContainerTemplate,
    { podName, processes }: { podName: string; processes: Processes },
    ports: ReadonlyMap<number, number>,
  ) {
    const at: AddressOf = port => `127.0.0.1:${ports.get(port) ?? port}`;
    this.template = template;
    this.processes = processes;
    this.ports = ports;
    this.env = { ...template.environment?.(at), HOSTNAME: podName };
    this.process = processes.start({ command: template.command(at), cwd: template.directory, env: this.env });
    for (const stream of [this.process.child.stdout, this.process.child.stderr]) if (stream) this.log.read(stream);
    this.ready = template.startup === undefined;
    this.ended = this.process.exited.then(exit => this.end(exit));
    if (template.startup) void this.waitUntilReady(template.startup);
  }

  /** Runs another program in the container, as `kubectl exec` does; it ends with the container. */
  exec(command: readonly string[], stdin: boolean): GroupProcess {
    const guest = this.processes.start({ command, cwd: this.template.directory, env: this.env, stdin });
    this.guests.add(guest);
    void guest.exited.then(() => this.guests.delete(guest));
    return guest;
  }

  private end(exit: Exit): Exit {
    this.ready = false;
    this.ending.abort();
    for (const guest of this.guests) guest.kill('SIGKILL');
    for (const port of this.ports.values()) releasePort(port);
    this.log.end();
    return exit;
  }

  /** A startup probe: asked until it succeeds once, so a program held at a breakpoint stays ready. */
  private async waitUntilReady({ path, port }: { path: string; port: number }): Promise<void> {
    const { over } = this;
    while (!over.aborted && !(await answers(this.ports.get(port)!, path, over))) await sleep(100, over);
    if (over.aborted) return;
    this.ready = true;
    this.onReady();
  }
}

/** Whether a program answers a request well, within a second. */
export const answers = (port: number, path: string, signal: AbortSignal): Promise<boolean> =>
  new Promise(resolve => {
    const request = get({ host: '127.0.0.1', port, path, signal, agent: false, timeout: 1000 }, response => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
