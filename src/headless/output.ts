import { oneLine } from '../lib/plainText.ts';

/** Where a command prints to. */
export interface Output {
  /** One JSON object, one line, on stdout. */
  data(value: unknown): void;
  /** A message for people, on stderr. */
  say(text: string): void;
}

/** Prints to the process's own streams. */
export const processOutput: Output = {
  data: value => void process.stdout.write(`${JSON.stringify(value)}\n`),
  say: text => void process.stderr.write(`${oneLine(text)}\n`),
};
