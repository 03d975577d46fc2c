import { type ChildProcess, spawn } from 'node:child_process';
import type { GuardOrder, StopLimits } from './order.ts';

/** A process that leads a group of its own, to which all signals go. */
export class Group {
  readonly child: ChildProcess;
  private readonly limits: StopLimits;
  private isInterrupted = false;
  private hasEnded = false;
  private escalation: NodeJS.Timeout | undefined;

  constructor({ file, args, isVerbatim, cwd, env, limits }: GuardOrder) {
    this.limits = limits;
    this.child = spawn(file, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    });
    this.child.once('exit', () => this.exited());
  }

  /** Asks it to end. Only once: a second SIGINT would reach the `kubectl delete` of a clean-up that has begun. */
  interrupt(): void {
    if (this.isInterrupted) return;
    this.isInterrupted = true;
    this.signal('SIGINT');
  }

  terminate(): void {
    this.signal('SIGTERM');
  }

  kill(): void {
    this.signal('SIGKILL');
  }

  /** Asks it to end, and insists when the limits have passed. */
  stop(): void {
    if (this.escalation || this.hasEnded) return;
    this.interrupt();
    this.escalation = setTimeout(() => {
      this.terminate();
      this.escalation = setTimeout(() => this.kill(), this.limits.terminateMs);
    }, this.limits.cleanUpMs);
  }

  /** What it leaves behind in its group has nobody any more, and may hold its output open. */
  private exited(): void {
    clearTimeout(this.escalation);
    this.signal('SIGKILL');
    this.hasEnded = true; // its number may be another's from now on
  }

  private signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined || this.hasEnded) return;
    try {
      if (process.platform === 'win32') endTree(pid);
      else process.kill(-pid, name);
    } catch {
      // the group has ended by itself
    }
  }
}

/** Windows has neither groups nor a signal that asks: whatever it is told, it ends at once. Not run by any test. */
function endTree(pid: number): void {
  const options = { stdio: 'ignore', windowsHide: true } as const;
  spawn('taskkill', ['/T', '/F', '/PID', String(pid)], options).on('error', () => undefined);
}
