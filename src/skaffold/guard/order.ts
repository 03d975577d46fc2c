/** What the guard is told first, as one line of JSON on its standard input: what to start, and how long to wait when it stops it. */
export interface GuardOrder {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly isVerbatim: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: StopLimits;
}

/** How long Skaffold has, in milliseconds, when it is stopped because nobody is there any more. */
export interface StopLimits {
  /** From SIGINT on, to delete what it deployed. */
  readonly cleanUpMs: number;
  /** From SIGTERM on. */
  readonly terminateMs: number;
}

/** What the guard is told then, a word a line. */
export const guardCommands = ['interrupt', 'terminate', 'kill', 'leave'] as const;

export type GuardCommand = (typeof guardCommands)[number];

/** What the guard tells, as lines of JSON on its file descriptor 3. */
export type GuardReport = Readonly<
  | { kind: 'started'; pid: number }
  /** It could not be started. */
  | { kind: 'failed'; cause: string }
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null }
>;
