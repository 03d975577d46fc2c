import { down } from '../real/cluster/down.ts';
import { logOf } from '../real/cluster/daemons.ts';
import { kubeconfigOf } from '../real/cluster/kubeconfig.ts';
import { up } from '../real/cluster/up.ts';

const NAME = 'benchmark';

/** A real node that is the bench's own. */
export interface OwnNode {
  readonly kubeconfig: string;
  /** One that has Node. */
  readonly image: string;
  /** What the container runtime writes; it has the moment of each start. */
  readonly runtimeLog: string;
}

/** Brings a node up, and takes it down after `use`, also when the bench is interrupted. */
export async function withOwnNode<T>(use: (node: OwnNode) => Promise<T>): Promise<T> {
  await down(NAME); // what a run that was killed has left
  const interrupted = new AbortController();
  const stop = () => {
    interrupted.abort(new Error('interrupted'));
    void down(NAME).finally(() => process.exit(130));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const cluster = await up({ name: NAME }, interrupted.signal);
    return await use({
      kubeconfig: kubeconfigOf(cluster, 'admin'),
      image: 'breakpod.test/node:1',
      runtimeLog: logOf(cluster, 'containerd'),
    });
  } finally {
    await down(NAME);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
