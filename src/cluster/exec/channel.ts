import type { Readable, Writable } from 'node:stream';

/** What to run in a container. */
export interface ExecCall {
  readonly container: string;
  readonly command: readonly string[];
  /** Whether it gets a standard input. */
  readonly stdin?: boolean;
}

/** A program that was started in a container, over an open connection of its own. */
export interface ExecChannel {
  /** There when it was asked for. Its end reaches the program, but over `v4` (that protocol has no word for it). */
  readonly stdin?: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * What the error channel says at the end: JSON of a `Status` (apimachinery `pkg/util/remotecommand`, protocols since v4).
   * Rejects when the connection ends without.
   */
  readonly outcome: Promise<string>;
  /** Ends the connection. Whether the program ends by that is up to the node. */
  close(): void;
}

/** What was asked for as the query of `pods/exec` (Kubernetes API, `PodExecOptions`). */
export function queryOf({ container, command, stdin = false }: ExecCall): string {
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true', ...(stdin ? { stdin: 'true' } : {}) });
  for (const word of command) query.append('command', word);
  return `?${query.toString()}`;
}

/** Longest text of an error channel that is read. */
export const MOST_STATUS_CHARS = 1 << 16;
