import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { inRoot } from '../../.ci/lib/paths.ts';

/** The program behind `npm run -s headless`. */
export const headlessMain: string = inRoot('src', 'headless', 'main.ts');

/** What it prints: one JSON object a line. */
export const linesOf = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>);

/** Runs a command to its end. */
export async function runHeadless(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [headlessMain, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stderr, lines: linesOf(stdout) };
}
