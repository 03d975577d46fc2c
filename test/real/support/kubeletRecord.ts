// What the node itself has noted of its containers: also of those that the API never told of, and while it is away.
import { readFileSync } from 'node:fs';
import { logOf } from '../cluster/daemons.ts';
import type { Cluster } from '../cluster/state.ts';

/** One run of one container, by the node's own logs. Times are milliseconds, by the clock of this machine. */
export interface NodeRun {
  readonly id: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  /** When the kubelet noticed the start, up to a second late; of a very short run it notices only the end. */
  readonly startedMs: number;
  /** When it noticed the end; absent while the container runs. */
  readonly endedMs?: number;
  readonly exitCode?: number;
}

type Origin = Pick<NodeRun, 'namespace' | 'pod' | 'podUid' | 'container'>;

/**
 * Every run of every container, oldest first, sandboxes left out. The kubelet logs each change that it finds at containerd
 * (`--vmodule=generic=4`, kubernetes `pkg/kubelet/pleg/generic.go`). It asks each second and, after a restart of its own,
 * for all that is there; nothing starts without it, and what has ended stays until it has seen that. Whose a container is
 * says containerd's log.
 */
export function kubeletRecord(cluster: Cluster): NodeRun[] {
  return recordOf(readFileSync(logOf(cluster, 'kubelet'), 'utf8'), readFileSync(logOf(cluster, 'containerd'), 'utf8'));
}

/** The same from the text of the two logs. */
export function recordOf(kubeletLog: string, containerdLog: string): NodeRun[] {
  const origins = originsIn(containerdLog);
  const exits = exitsIn(kubeletLog);
  const runs = new Map<string, NodeRun>();
  for (const { ms, id, isEnd } of changesIn(kubeletLog)) {
    const origin = origins.get(id);
    if (!origin) continue;
    const run = runs.get(id) ?? { id, ...origin, startedMs: ms };
    const exitCode = exits.get(id);
    const end = { endedMs: ms, ...(exitCode === undefined ? {} : { exitCode }) };
    runs.set(id, isEnd && run.endedMs === undefined ? { ...run, ...end } : run);
  }
  return [...runs.values()];
}

type Change = Readonly<{ ms: number; id: string; isEnd: boolean }>;

/** `I1201 02:33:41.965316 … "GenericPLEG" podUID="…" containerID="…" oldState="running" newState="exited"`; `unknown` is created. */
function changesIn(log: string): Change[] {
  const line = /^I(\d{4}) ([\d:]{8}\.\d{3}).*"GenericPLEG" .*containerID="(\w+)" oldState="(\S+)" newState="(\S+)"/gm;
  return [...log.matchAll(line)].flatMap(([, date, time, id, before, now]) => {
    const isEnd = now === 'exited' || (before === 'running' && now === 'non-existent');
    return isEnd || now === 'running' ? [{ ms: timeOf(date!, time!), id: id!, isEnd }] : [];
  });
}

/** The year is not in the log, so it is the present one, or the one before for what would lie ahead. */
function timeOf(date: string, time: string): number {
  const inYear = (year: number) => Date.parse(`${year}-${date.slice(0, 2)}-${date.slice(2)}T${time}`);
  const year = new Date().getFullYear();
  return inYear(year) > Date.now() + 86_400_000 ? inYear(year - 1) : inYear(year);
}

function exitsIn(log: string): Map<string, number> {
  const line = /"Generic \(PLEG\): container finished" .*containerID="(\w+)" exitCode=(-?\d+)/g;
  return new Map([...log.matchAll(line)].map(([, id, code]) => [id!, Number(code)]));
}

/** By container id (containerd `pkg/cri/server`, in the words of version 1.6). */
function originsIn(log: string): Map<string, Origin> {
  const sandboxLine =
    /&PodSandboxMetadata\{Name:(\S+?),Uid:(\S+?),Namespace:(\S+?),\S+ returns sandbox id \\"(\w+)\\"/g;
  const sandboxes = new Map(
    [...log.matchAll(sandboxLine)].map(([, pod, podUid, namespace, id]) => [id, { namespace, pod, podUid }]),
  );
  const line = /within sandbox \\"(\w+)\\" for &ContainerMetadata\{Name:(\S+?),\S+ returns container id \\"(\w+)\\"/g;
  return new Map(
    [...log.matchAll(line)].map(([, sandbox, container, id]) => [
      id!,
      { ...sandboxes.get(sandbox), container } as Origin,
    ]),
  );
}
