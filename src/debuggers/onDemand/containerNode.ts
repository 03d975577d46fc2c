import type { ContainerRef, Exec, ExecResult } from '../../core/contracts.ts';
import { UserError } from '../../core/errors.ts';
import { noNode } from './problems.ts';
import { PLAIN, PROGRAMS } from './scripts.ts';

/** A container that is short of CPU needs its time to start a program. */
const RUN_LIMIT_MS = 20_000;
/** Exit codes of `env` and of shells for a program that cannot be executed, or is not there. */
const NOT_RUN = [126, 127];

type Command = readonly string[];

/**
 * Runs scripts in the Node of a container. The container's own NODE_OPTIONS are for its program and not for ours: they could
 * load whatever they name, or open a debug port.
 */
export class ContainerNode {
  private readonly exec: Exec;
  private readonly at: ContainerRef;
  private prefix: Command | undefined;

  constructor(exec: Exec, at: ContainerRef) {
    this.exec = exec;
    this.at = at;
  }

  /** Throws `UserError`: not allowed, not running, no Node in the container, too slow. */
  async run(script: string, args: readonly string[], signal: AbortSignal): Promise<ExecResult> {
    const rest = ['-e', script, ...args];
    if (this.prefix) return this.exec.run(this.at, [...this.prefix, ...rest], { signal, limitMs: RUN_LIMIT_MS });
    const failures: string[] = [];
    for (const find of [() => WITH_ENV, () => ['node'], () => this.byShell(signal)]) {
      const prefix = await find();
      const result = prefix && (await this.attempt([...prefix, ...rest], failures, signal));
      if (!result) continue;
      this.prefix = prefix;
      return result;
    }
    throw noNode(this.at, failures);
  }

  /** A Node that is not in the PATH, found by a process that runs it. */
  private async byShell(signal: AbortSignal): Promise<Command | undefined> {
    const listed = await this.attempt(['/bin/sh', '-c', PROGRAMS], [], signal);
    const path = listed?.stdout.split('\n').find(line => /\/node(js)?$/.test(line));
    return path === undefined ? undefined : ['/bin/sh', '-c', PLAIN, path];
  }

  /** `undefined` when there is no such program. */
  private async attempt(command: Command, failures: string[], signal: AbortSignal): Promise<ExecResult | undefined> {
    try {
      const result = await this.exec.run(this.at, command, { signal, limitMs: RUN_LIMIT_MS });
      if (!NOT_RUN.includes(result.code)) return result;
      failures.push(result.stderr.trim());
    } catch (error) {
      if (!(error instanceof UserError && error.code === 'exec-no-program')) throw error;
      failures.push(error.message);
    }
    return undefined;
  }
}

const WITH_ENV: Command = ['env', '-u', 'NODE_OPTIONS', '-u', 'NODE_V8_COVERAGE', 'node'];
