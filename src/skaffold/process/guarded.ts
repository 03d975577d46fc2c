import { type ChildProcess, spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { rawText } from '../../core/errors.ts';
import type { ProcessEnd } from '../../core/runs.ts';
import type { Environment } from '../../lib/command.ts';
import type { GuardCommand, GuardOrder, GuardReport } from '../guard/order.ts';
import type { Piece } from './output.ts';

/** Skaffold behind its guard. */
export class Guarded {
  /** Of Skaffold. Rejects with the reason when it could not be started. */
  readonly started: Promise<number>;
  /** Resolves when Skaffold has ended and its output has been read; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private readonly guard: ChildProcess;

  /** `program` is the guard's file, which our own Node runs. */
  constructor(program: string, order: GuardOrder, onOutput: (piece: Piece) => void) {
    this.guard = spawn(execPath, [program], {
      env: ownEnvironment(process.env),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true, // a session of its own: no terminal and no end of a parent reaches it
      windowsHide: true,
    });
    const start = Promise.withResolvers<number>();
    this.started = start.promise;
    this.started.catch(() => undefined); // who waits for the end alone does not look
    let pid: number | undefined;
    let end: ProcessEnd | undefined;
    this.guard.stdin!.on('error', () => undefined); // it is gone; its end tells
    this.read('stdout', onOutput);
    this.read('stderr', onOutput);
    const reports = this.guard.stdio[3] as Readable;
    createInterface({ input: reports }).on('line', line => {
      const report = JSON.parse(line) as GuardReport;
      if (report.kind === 'started') start.resolve((pid = report.pid));
      else if (report.kind === 'failed') start.reject(new Error(report.cause));
      else end = { code: report.code, signal: report.signal };
    });
    this.guard.on('error', error => start.reject(error));
    this.ended = new Promise(resolve =>
      this.guard.once('close', (code, signal) => {
        start.reject(new Error(`the process that guards it ended with ${signal ?? code}`));
        if (!end && pid !== undefined) killGroup(pid);
        resolve(end ?? { code: null, signal: signal ?? 'SIGKILL' });
      }),
    );
    this.guard.stdin!.write(`${JSON.stringify(order)}\n`);
  }

  tell(command: GuardCommand): void {
    this.guard.stdin!.write(`${command}\n`);
  }

  /** Nothing waits for it any more: this process may end before it does. */
  leave(): void {
    this.tell('leave');
    this.guard.unref();
    for (const stream of this.guard.stdio) (stream as Socket).unref();
  }

  /** As if this process had ended: the guard goes through the stop. */
  abandon(): void {
    this.guard.stdin!.end();
  }

  private read(stream: 'stdout' | 'stderr', onOutput: (piece: Piece) => void): void {
    this.guard[stream]!.setEncoding('utf8').on('data', (text: string) => onOutput({ stream, text }));
    this.guard[stream]!.on('error', error => onOutput({ stream: 'stderr', text: `${rawText(error)}\n` }));
  }
}

/** Ours, as Node and without the options of a debugger, which are meant for this process. */
const ownEnvironment = (ours: Environment): Environment => ({
  ...ours,
  NODE_OPTIONS: undefined,
  ELECTRON_RUN_AS_NODE: '1',
  NODE_NO_WARNINGS: '1',
});

/** The guard was killed itself: nobody else can end what it guarded. */
function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
