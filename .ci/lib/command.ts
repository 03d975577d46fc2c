import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { root } from './paths.ts';

/** How a command ended: everything it printed, and whether its exit code was 0. */
export interface Ended {
  readonly ok: boolean;
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** After this time the command is ended and counts as failed. */
  readonly timeoutMs?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** Runs a command to its end and keeps what it prints. Does not throw: a command that cannot be started has failed. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd = root, env = process.env, timeoutMs = 600_000, signal }: CommandOptions = {},
): Promise<Ended> {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      ...(signal ? { signal } : {}),
    });
    let output = '';
    const read = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', error => resolve({ ok: false, output: `${command}: ${error.message}` }));
    child.on('close', (code, killer) => {
      if (killer) output += `\n${command} was ended by ${killer} (limit: ${timeoutMs / 1000} s)`;
      resolve({ ok: code === 0, output });
    });
  });
}

/** Runs npm with this very Node; npm itself is the machine's. */
export function runNpm(args: readonly string[], options?: CommandOptions): Promise<Ended> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const script = process.env['npm_execpath'];
  return script && /npm-cli\.c?js$/.test(script)
    ? runCommand(process.execPath, [script, ...args, ...quiet], options)
    : runCommand('npm', [...args, ...quiet], options);
}

/** The path of a program on the PATH. */
export function whichOf(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(file => existsSync(file));
}
