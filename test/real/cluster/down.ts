import { rm } from 'node:fs/promises';
import { removeCgroups } from './cgroups.ts';
import { barrier, linkIndexOf } from './node.ts';
import { removeMade } from './places.ts';
import { inCgroup, isAlive, kill, markedWith } from './processes.ts';
import { run, until } from './run.ts';
import { type Remains, remainsOf } from './state.ts';

const patience = { timeoutMs: 30_000, everyMs: 50 };

/** Takes a cluster down, whatever state it is in, and leaves nothing of it. None of that name is no error. */
export async function down(name: string): Promise<void> {
  const cluster = remainsOf(name);
  await removeBarrier(cluster); // while the link is still there, whose name says that the addresses are taken
  // The kernel ends all processes of a process namespace with its process 1; with the last one go the mounts and the
  // network namespace, and with that both ends of the link. The marked ones are for an `up` that was cut short.
  kill(cluster.init);
  // Anew each time: on a busy machine a last one is started while the others end.
  const isOver = () => {
    const marked = markedWith(cluster.work);
    for (const known of marked) kill(known);
    return !isAlive(cluster.init) && marked.length + inCgroup(cluster.cgroup).length === 0;
  };
  await until('the processes to end', isOver, patience);
  await until('the cgroups to empty', () => isDone(() => removeCgroups(cluster.cgroup)), patience);
  await removeLink(cluster);
  await rm(cluster.work, { recursive: true, force: true, maxRetries: 5 });
  removeMade();
}

function isDone(action: () => void): boolean {
  action();
  return true;
}

/** This route does not go with the link. */
async function removeBarrier({ hostIp }: Remains): Promise<void> {
  if (hostIp) await run('ip', ['route', 'del', ...barrier(hostIp)]).catch(() => undefined); // it was not made yet
}

/** The kernel removes the link a moment after the last process has gone. A neighbour may have taken its name by then. */
async function removeLink({ link, linkIndex }: Remains): Promise<void> {
  if (!link || !linkIndex) return;
  const isGone = () => linkIndexOf(link) !== linkIndex;
  await until('the link to go', isGone, { timeoutMs: 5_000, everyMs: 50 }).catch(() =>
    run('ip', ['link', 'del', link]),
  );
}
