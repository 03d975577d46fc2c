import { type ChildProcess, spawn } from 'node:child_process';
import { env, execPath } from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import { rawText, UserError } from '../core/errors.ts';
import type { Container } from '../core/model.ts';
import { within } from '../lib/deadline.ts';
import type { Disposable } from '../lib/disposable.ts';
import { Emitter } from '../lib/emitter.ts';
import { oneLine } from '../lib/plainText.ts';
import { type Fields, fields } from './fields.ts';
import type { Demo } from './watching.ts';

/** A busy machine needs its time to start a handful of processes. */
const startLimitMs = 60_000;
const mostWords = 5;

interface Process {
  readonly child: ChildProcess;
  /** Lines of its output. */
  readonly lines: Interface;
  /** The last things that it said to people. */
  readonly lastWords: string[];
}

interface Running extends Process {
  readonly ready: Promise<Demo>;
}

/**
 * The demo cluster as a process of its own, run by the Node of the extension host. It ends with `stop`, with the
 * window, and when its standard input closes.
 */
export class DemoCluster implements Disposable {
  private readonly ended = new Emitter<void>();
  /** It is not there any more, by command or by itself. */
  readonly onDidEnd = this.ended.event;

  private running: Running | undefined;
  private readonly script: string;
  private readonly log: (line: string) => void;

  /** `script` is the entrance of the demo; `log` takes what it says, raw. */
  constructor(script: string, log: (line: string) => void) {
    this.script = script;
    this.log = log;
  }

  /** Starts it, if it does not run yet, and waits until it answers. Throws `UserError`. */
  start(): Promise<Demo> {
    this.running ??= this.spawn();
    return this.running.ready;
  }

  /** Asks it to end its processes and itself; what does not hear that ends with its standard input. */
  stop(): void {
    this.running?.child.stdin?.end('quit\n');
  }

  /** Ends the process of a container; resolves when the next one runs. Throws `UserError`. */
  async restart({ namespace, pod, container }: Container): Promise<void> {
    await this.perform(`restart ${namespace}/${pod} ${container}`);
  }

  /** Deletes a pod; resolves when its successor is ready. Throws `UserError`. */
  async replace({ namespace, pod }: Container): Promise<void> {
    await this.perform(`replace ${namespace}/${pod}`);
  }

  dispose(): void {
    this.stop();
    this.ended.dispose();
  }

  private spawn(): Running {
    const child = spawn(execPath, [this.script, '--traffic'], {
      env: { ...env, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => undefined); // it is gone; its exit tells
    const lastWords: string[] = [];
    createInterface({ input: child.stderr }).on('line', line => {
      this.log(line);
      if (line.trim() !== '') lastWords.push(line);
      if (lastWords.length > mostWords) lastWords.shift();
    });
    const gone = (why: string) => {
      if (this.running?.child !== child) return;
      this.running = undefined;
      this.log(`The demo cluster has ended: ${why}`);
      this.ended.fire();
    };
    child.on('error', error => gone(rawText(error)));
    child.on('close', (code, signal) => gone(signal ?? `exit code ${code}`));
    const lines = createInterface({ input: child.stdout });
    const process: Process = { child, lines, lastWords };
    return { ...process, ready: this.ready(process) };
  }

  private async ready(process: Process): Promise<Demo> {
    try {
      const { kubeconfig, workspace } = await within(startLimitMs, undefined, signal =>
        lineWith(process, 'kubeconfig', () => true, signal),
      );
      return { kubeconfig: String(kubeconfig), workspace: String(workspace) };
    } catch (error) {
      process.child.stdin?.end('quit\n');
      throw demoNotStarted([rawText(error), ...process.lastWords].join('; '));
    }
  }

  private async perform(command: string): Promise<void> {
    const { running } = this;
    if (!running) throw demoNotRunning();
    const answer = within(startLimitMs, undefined, signal =>
      lineWith(running, 'command', ({ command: about }) => about === command, signal),
    );
    running.child.stdin!.write(`${command}\n`);
    const { ok, error } = await answer;
    if (ok !== true) throw demoCommandFailed(command, error);
  }
}

/** The first line of its output that has a field and that `accepts` takes; lines for people are left alone. */
function lineWith(
  { child, lines }: Process,
  field: string,
  accepts: (line: Fields) => boolean,
  signal: AbortSignal,
): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const done = () => {
      lines.off('line', read);
      child.off('close', ended).off('error', reject);
    };
    const read = (text: string) => {
      const line = parsed(text);
      if (!(field in line) || !accepts(line)) return;
      done();
      resolve(line);
    };
    const ended = (code: number | null, name: string | null) => reject(new Error(`it ended with ${name ?? code}`));
    lines.on('line', read);
    child.on('close', ended).on('error', reject);
    const aborted = () => {
      done();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', aborted, { once: true });
  });
}

function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    return {}; // a line for people
  }
}

const demoNotStarted = (cause: unknown) =>
  new UserError('demo-not-started', 'The demo cluster did not start.', {
    cause,
    remedy: 'Look at the log, then try again.',
  });

const demoNotRunning = () =>
  new UserError('demo-not-running', 'The demo cluster does not run.', {
    remedy: 'Start it.',
    actions: [{ kind: 'command', label: 'Start Demo Cluster', command: 'breakpod.startDemo' }],
  });

const demoCommandFailed = (command: string, cause: unknown) =>
  new UserError('demo-command-failed', `The demo cluster could not perform "${oneLine(command, 200)}".`, {
    cause,
    remedy: 'Look at the log, then try again.',
  });
