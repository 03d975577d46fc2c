import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that a test has started. */
export interface Program {
  readonly process: ChildProcess;
  /** All that it has printed so far. */
  readonly output: string;
  /** Waits until the output matches; rejects when the process ends or a minute has passed before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a program that ends with the test, or with whatever else `t.after` stands for. */
export function start(
  t: { after(end: () => void): void },
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; stdin?: 'pipe' } = {},
): Program {
  const child = spawn(command, args, { ...options, stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'] });
  let output = '';
  const more = (chunk: Buffer) => (output += chunk.toString());
  child.stdout!.on('data', more);
  child.stderr!.on('data', more);
  child.on('error', error => (output += String(error)));
  t.after(() => child.kill('SIGKILL'));
  return {
    process: child,
    get output() {
      return output;
    },
    async until(pattern) {
      for (let waited = 0; waited < 60_000; waited += 20) {
        const found = pattern.exec(output);
        if (found) return found;
        if (child.exitCode !== null) break;
        await delay(20);
      }
      throw new Error(`${command} never printed ${pattern}; it printed: ${output}`);
    },
  };
}
