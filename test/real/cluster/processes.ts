import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cgroupOf, workFolder } from './paths.ts';

/** A process for as long as the machine runs: its id alone may belong to another one by now. */
export interface Process {
  readonly pid: number;
  /** Start time in ticks since boot (proc(5), `stat`). */
  readonly started: string;
}

/** Undefined when there is no such process, or only a zombie: that has ended, and waits for its parent to notice. */
export function identify(pid: number | undefined): Process | undefined {
  const stat = pid === undefined ? undefined : textOf(`/proc/${pid}/stat`);
  if (pid === undefined || !stat) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the state, the third field, on
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : { pid, started: fields[19]! };
}

export const isAlive = (known: Process | undefined): boolean =>
  known !== undefined && identify(known.pid)?.started === known.started;

/** Sends a signal to a process that is still there. */
export function kill(known: Process | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (known && isAlive(known)) process.kill(known.pid, signal);
}

export const childrenOf = (pid: number): number[] =>
  (textOf(`/proc/${pid}/task/${pid}/children`) ?? '').trim().split(' ').filter(Boolean).map(Number);

export const allPids = (): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);

/** The variable that marks what a cluster started. Containers do not inherit it. */
export const MARK = 'BREAKPOD_CLUSTER_WORK';

/** Processes that were started for the cluster of that work folder. */
export const markedWith = (work: string): Process[] =>
  allPids()
    .filter(pid => (textOf(`/proc/${pid}/environ`) ?? '').split('\0').includes(`${MARK}=${work}`))
    .flatMap(pid => identify(pid) ?? []);

/** Live processes in a cgroup below the named one, which containers are. */
export const inCgroup = (cgroup: string): number[] =>
  allPids().filter(pid => (textOf(`/proc/${pid}/cgroup`) ?? '').includes(`:/${cgroup}/`) && identify(pid));

/** Whether a process belongs to a cluster of another name: it is marked by it, or in one of its containers. */
export function isOfAnother(pid: number, name: string): boolean {
  const linesOf = (file: string, separator: string) => (textOf(`/proc/${pid}/${file}`) ?? '').split(separator);
  const marks = linesOf('environ', '\0').filter(line => line.startsWith(`${MARK}=`));
  const groups = linesOf('cgroup', '\n').filter(line => line.includes(`:/${cgroupOf('')}`));
  const isOurs = (line: string) => line === `${MARK}=${workFolder(name)}` || line.includes(`:/${cgroupOf(name)}/`);
  return [...marks, ...groups].some(line => !isOurs(line));
}

/** Process 1 of a container: its cgroup ends with the container's id. Process ids wrap, so the lowest may be a child. */
export const processOfContainer = (cgroup: string, id: string): Process | undefined =>
  inCgroup(cgroup)
    .filter(pid => (textOf(`/proc/${pid}/cgroup`) ?? '').split('\n').some(line => line.endsWith(`/${id}`)))
    .filter(pid => /^NSpid:.*\s1$/m.test(textOf(`/proc/${pid}/status`) ?? ''))
    .flatMap(pid => identify(pid) ?? [])[0];

/** A namespace of a process, as text that is equal for processes that share it (namespaces(7)). */
export function namespaceOf(pid: number | string, kind: 'pid' | 'net' | 'mnt'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined; // it has ended
  }
}

/** Live processes of a namespace. */
export const inNamespace = (kind: 'pid' | 'net', namespace: string): number[] =>
  allPids().filter(pid => namespaceOf(pid, kind) === namespace && identify(pid));

/** A process's share of the memory in use, in bytes: pages that several processes map are divided among them. */
export const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024;

/** Mount points of every mount namespace of this machine. */
export function allMountPoints(): Set<string> {
  const seen = new Set<string>();
  const points = new Set<string>();
  for (const pid of allPids()) {
    const namespace = namespaceOf(pid, 'mnt');
    if (!namespace || seen.has(namespace)) continue;
    seen.add(namespace);
    for (const line of (textOf(`/proc/${pid}/mountinfo`) ?? '').split('\n')) points.add(line.split(' ')[4] ?? '');
  }
  return points;
}

/** A file of /proc; undefined when its process has ended. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
