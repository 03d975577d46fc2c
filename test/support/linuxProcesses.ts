import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A named skip where there is no /proc: no other program is needed to read it. */
export const skipWithoutProc: string | false = process.platform === 'linux' ? false : 'needs /proc';

/** Processes below one, those that it started and theirs. */
export function descendants(of: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry)))
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // it has ended meanwhile
    }
  const below = [...parents].filter(([, parent]) => parent === of).map(([pid]) => pid);
  return below.flatMap(pid => [pid, ...descendants(pid)]);
}

/** A zombie has ended. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until none of them lives. */
export async function allGone(pids: readonly number[]): Promise<void> {
  for (let i = 0; i < 1200 && pids.some(isAlive); i++) await delay(50);
  assert.deepEqual(pids.filter(isAlive), [], 'processes that are left');
}
