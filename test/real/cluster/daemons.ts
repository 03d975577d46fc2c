import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { components, type DaemonName } from './components.ts';
import { entering, environment } from './node.ts';
import { childrenOf, identify, isAlive, kill } from './processes.ts';
import { until } from './run.ts';
import { type Cluster, save } from './state.ts';

/** Where a daemon's output goes. */
export const logOf = ({ work }: Cluster, name: DaemonName): string => join(work, 'log', `${name}.log`);

/** Starts a daemon in the node, for longer than this process lives. */
export async function startDaemon(cluster: Cluster, name: DaemonName): Promise<void> {
  const log = openSync(logOf(cluster, name), 'a');
  // nsenter stays as the parent, for a process cannot enter a process namespace itself, only its children can.
  const parent = spawn('nsenter', [...entering(cluster.init), ...components[name](cluster)], {
    detached: true,
    stdio: ['ignore', log, log],
    env: environment(cluster),
  });
  closeSync(log);
  parent.unref();
  const started = () => identify(childrenOf(parent.pid ?? 0)[0]);
  cluster.daemons[name] = await until(`${name} to start`, started, { timeoutMs: 10_000, everyMs: 10 });
  save(cluster);
}

/** Ends a daemon and waits until it has gone. */
export async function stopDaemon(cluster: Cluster, name: DaemonName, signal?: NodeJS.Signals): Promise<void> {
  const daemon = cluster.daemons[name];
  kill(daemon, signal ?? 'SIGTERM');
  await until(`${name} to end`, () => !isAlive(daemon), { timeoutMs: 90_000, everyMs: 50 });
}
