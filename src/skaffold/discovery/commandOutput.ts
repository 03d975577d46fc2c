import { run } from '../../lib/run.ts';

/** A process table of a busy machine, or PowerShell on a slow one. */
const LIMIT_MS = 15_000;

/** What a program of the system prints; empty when it is not there or fails, since then nothing can be found. */
export const commandOutput = (file: string, args: readonly string[]): Promise<string> =>
  run({ file, args, isVerbatim: false }, process.env, AbortSignal.timeout(LIMIT_MS)).then(
    ({ stdout }) => stdout,
    () => '',
  );
