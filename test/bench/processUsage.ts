import { readFileSync, writeFileSync } from 'node:fs';

/** Clock ticks of /proc/PID/stat (Linux: always 100 a second). */
const TICK_MS = 10;

/** Whether the platform tells. */
export const canMeasure = process.platform === 'linux';

/** CPU time of a process and those that it started, in milliseconds. */
export const cpuMs = (pid: number): number => sum(pid, id => ticks(id) * TICK_MS);

/** Resident memory of a process and those that it started, in MiB. */
export const residentMib = (pid: number): number => sum(pid, id => statusMib(id, 'VmRSS'));

/** The largest resident memory since the start or since `forgetPeak`, in MiB. */
export const peakMib = (pid: number): number => sum(pid, id => statusMib(id, 'VmHWM'));

/** Counts the largest resident memory from now on (Linux: /proc/PID/clear_refs). */
export function forgetPeak(pid: number): void {
  if (canMeasure) for (const id of tree(pid)) writeFileSync(`/proc/${id}/clear_refs`, '5');
}

const sum = (pid: number, figure: (pid: number) => number): number =>
  canMeasure ? tree(pid).reduce((total, id) => total + figure(id), 0) : Number.NaN;

function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function statusMib(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

function tree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap(child => tree(Number(child)))];
}
