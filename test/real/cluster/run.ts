import { spawn, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Given to the command as its standard input. */
  readonly input?: string;
  /** After this time the command is killed and has failed. */
  readonly timeoutMs?: number;
  /** Shows on stderr what the command says there, for long ones. */
  readonly isShown?: boolean;
  /** Kills the command. */
  readonly signal?: AbortSignal | undefined;
}

/** A command that ended with a failure; the message has its last lines. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly stdout: string;
  readonly stderr: string;

  constructor(command: string, how: string, stdout: string, stderr: string) {
    const said = (stderr || stdout).trim().split('\n').slice(-15).join('\n');
    super(`${command}: ${how}\n${said}`);
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

/** Runs a command to its end and gives what it printed. Throws `CommandError`, or the error of its start. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { input = '', timeoutMs = 60_000, isShown = false, cwd, env, signal } = options;
  const spawnOptions: SpawnOptions = {
    ...(cwd ? { cwd } : {}),
    ...(env ? { env } : {}),
    ...(signal ? { signal } : {}),
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...spawnOptions, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (isShown ? process.stderr.write(chunk) : err.push(chunk)));
    child.stdin.on('error', () => undefined); // a command that fails early does not read its input
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code, killer) => {
      const stdout = Buffer.concat(out).toString();
      if (code === 0) return resolve(stdout);
      const how = killer ? `ended by ${killer} (limit: ${timeoutMs / 1000} s)` : `exit code ${code}`;
      return reject(new CommandError([command, ...args].join(' '), how, stdout, Buffer.concat(err).toString()));
    });
  });
}

export interface Patience {
  /** For at most this long. */
  readonly timeoutMs?: number;
  readonly everyMs?: number;
  readonly signal?: AbortSignal | undefined;
}

type Maybe<T> = T | false | undefined | null | '' | 0;

/** Asks again and again until there is an answer, and gives that; an error counts as none yet. Throws when it takes too long. */
export async function until<T>(
  what: string,
  ask: () => Maybe<T> | Promise<Maybe<T>>,
  { timeoutMs = 60_000, everyMs = 200, signal }: Patience = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  let reason: unknown;
  do {
    try {
      const answer = await ask();
      if (answer) return answer;
      reason = undefined;
    } catch (error) {
      reason = error;
    }
    await delay(everyMs, undefined, signal ? { signal } : {});
  } while (Date.now() < end);
  const why = reason instanceof Error ? `: ${reason.message}` : '';
  throw new Error(`waited ${timeoutMs / 1000} s for ${what}${why}`, { cause: reason });
}
