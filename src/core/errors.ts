/** The steps of an attach, in their order (the row names the one that failed). */
export const attachSteps = ['debugger', 'container', 'forward', 'listener', 'paths', 'session'] as const;

export type Step = (typeof attachSteps)[number];

/** What a person can do about a failure, as data; the shell turns it into a button. */
export type Action = Readonly<
  | { kind: 'installExtension'; label: string; id: string }
  | { kind: 'showExtension'; label: string; id: string }
  /** No message of this kind any more; the row still says why. */
  | { kind: 'dontAskAgain'; label: string; key: string }
  | { kind: 'openSetting'; label: string; key: string }
  | { kind: 'command'; label: string; command: string }
>;

/** A failure as it is kept on a row: written for people, the raw cause beside it. */
export type Failure = Readonly<{
  code: string;
  /** What failed, a sentence. */
  message: string;
  /** The raw words of what caused it. */
  cause?: string;
  /** What to do, a sentence. */
  remedy?: string;
  /** The step of an attach in which it happened. */
  step?: Step;
  actions: readonly Action[];
}>;

/** What `UserError` takes beside code and message. */
export interface UserErrorOptions {
  readonly cause?: unknown;
  readonly remedy?: string | undefined;
  readonly actions?: readonly Action[];
}

/** An error whose message is written for the user, with what they can do next. Made by named functions. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: string;
  readonly remedy: string | undefined;
  readonly actions: readonly Action[];

  /** Parts of the extension that are loaded when they are needed have a class of their own of this name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UserError';
  }

  constructor(code: string, message: string, { cause, remedy, actions = [] }: UserErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.remedy = remedy;
    this.actions = actions;
  }
}

/** The raw words of anything that was thrown. Node's connection errors can have an empty message and only a code. */
export function rawText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(rawText).join('; ');
  if (error instanceof Error) return error.message || ('code' in error ? String(error.code) : '') || error.name;
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error));
}

/** Anything that was thrown, as a failure to show; an error that nobody wrote a sentence for says so. */
export function failureOf(error: unknown, step?: Step): Failure {
  const at = step ? { step } : {};
  if (!(error instanceof UserError))
    return {
      code: 'unexpected',
      message: 'An unexpected error occurred.',
      cause: rawText(error),
      remedy: 'Please report it with the log.',
      actions: [],
      ...at,
    };
  return {
    code: error.code,
    message: error.message,
    ...(error.cause === undefined ? {} : { cause: rawText(error.cause) }),
    ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
    actions: error.actions,
    ...at,
  };
}

/** A failure in one line, for a log or a tooltip. */
export const failureText = ({ message, cause, remedy }: Failure): string =>
  [message, cause && cause !== message ? `(${cause})` : '', remedy && !message.includes(remedy) ? remedy : '']
    .filter(Boolean)
    .join(' ');
