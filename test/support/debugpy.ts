import type { TestContext } from 'node:test';
import { findDebugpy } from '../../.ci/lib/needs.ts';
import { freePort } from './listeners.ts';
import { type Program, start } from './program.ts';

const python = await findDebugpy();

/** A named skip where no Python has debugpy. */
export const skipWithoutDebugpy: string | false =
  python || process.env['CI'] ? false : 'needs a Python with debugpy (python3-debugpy)';

/** A program under a real debugpy, which the operating system may not have started yet. */
export async function startDebugpy(
  t: TestContext,
  file: string,
  options: readonly string[] = [],
): Promise<{ port: number; program: Program }> {
  const port = await freePort();
  const args = ['-u', '-m', 'debugpy', '--listen', `127.0.0.1:${port}`, ...options, file];
  return { port, program: start(t, python ?? 'python3', args) };
}
