import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, delimiter } from 'node:path';
import { Reaper, type NodeCommand } from './reaper.ts';

/** How a process ended: by itself with a code, or by a signal. `failure` says why it could not even start. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly failure?: string;
}

export interface ProcessOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it gets a standard input. */
  readonly stdin?: boolean;
}

/** Variables of this machine that programs need; no others pass (debuggers put themselves into NODE_OPTIONS). */
const INHERITED = ['HOME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec', 'PATHEXT', 'JAVA_HOME'];

/** Starts processes, each the head of a group of its own, and ends what it started and nothing else. */
export class Processes {
  readonly node: NodeCommand;
  private readonly reaper: Reaper;
  private readonly running = new Set<GroupProcess>();

  constructor(node: NodeCommand) {
    this.node = node;
    this.reaper = new Reaper(node);
  }

  /** Never throws: a program that cannot be started exits with a `failure`. */
  start({ command, cwd, env, stdin = false }: ProcessOptions): GroupProcess {
    const [name = '', ...args] = command;
    const isNode = name === 'node';
    const child = spawn(isNode ? this.node.path : name, args, {
      cwd,
      env: { ...this.inherited(), ...(isNode ? this.node.environment : {}), ...env },
      stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const started = new GroupProcess(child);
    this.running.add(started);
    if (child.pid !== undefined) this.reaper.started(child.pid);
    void this.forget(started);
    return started;
  }

  get pids(): readonly number[] {
    return [...this.running].flatMap(({ child }) => child.pid ?? []);
  }

  /** Kills what still runs; resolves when all of it is gone. */
  async close(): Promise<void> {
    for (const running of this.running) running.kill('SIGKILL');
    await Promise.all([...this.running].map(running => running.exited));
    await this.reaper.close();
  }

  private async forget(started: GroupProcess): Promise<void> {
    await started.exited;
    this.running.delete(started);
    const { pid } = started.child;
    if (pid !== undefined) this.reaper.exited(pid);
  }

  private inherited(): Record<string, string> {
    const kept = INHERITED.flatMap(name => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const path = [dirname(this.node.path), process.env['PATH']].join(delimiter);
    return { ...Object.fromEntries(kept), PATH: path };
  }
}

/** A process and all that it starts. */
export class GroupProcess {
  readonly child: ChildProcess;
  /** Resolves when the process and its output have ended; never rejects. */
  readonly exited: Promise<Exit>;
  private over = false;

  constructor(child: ChildProcess) {
    this.child = child;
    this.exited = new Promise(resolve => {
      child.once('error', error => {
        if (child.pid === undefined) resolve({ code: null, signal: null, failure: error.message });
      });
      // What it leaves behind in its group ends with it, as in a container.
      child.once('exit', () => {
        this.kill('SIGKILL');
        this.over = true;
      });
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Signals the whole group; nothing once the process has ended, since its number may be another's by then. */
  kill(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined || this.over) return;
    try {
      if (process.platform === 'win32') endTree(pid);
      else process.kill(-pid, signal);
    } catch {
      // the group has ended by itself
    }
  }

  /** Asks it to end, and insists after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.kill('SIGKILL'), graceMs);
    this.kill('SIGTERM');
    await this.exited;
    clearTimeout(timer);
  }
}

/** Windows has no process groups and no polite signal. */
function endTree(pid: number): void {
  spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
    'error',
    () => undefined,
  );
}
