import { isAlive, kill, processOfContainer } from '../cluster/processes.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { kubeletRecord } from './kubeletRecord.ts';

/** Kills the run of a container that is on, whether or not the API server is there to say which that is. Gives its id. */
export async function killRun(cluster: Cluster, pod: string, container: string): Promise<string> {
  const victim = await until(`a process of ${pod}: ${container}`, () => {
    const run = kubeletRecord(cluster).findLast(known => known.pod === pod && known.container === container);
    const found = run && run.endedMs === undefined ? processOfContainer(cluster.cgroup, run.id) : undefined;
    return found && { process: found, id: run!.id };
  });
  kill(victim.process);
  await until(`${container} to end`, () => !isAlive(victim.process), { everyMs: 20 });
  return victim.id;
}
