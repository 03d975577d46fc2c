import { once } from 'node:events';
import { spawnKubectl } from '../cluster/kubectl.ts';
import type { Cluster } from '../cluster/state.ts';

/** A port-forward by kubectl, on a free local port. */
export interface KubectlForward {
  readonly port: number;
  close(): Promise<void>;
}

/** `target` is what kubectl takes: `pod/x`, `deployment/x`. Throws with kubectl's words. */
export async function kubectlForward(
  cluster: Cluster,
  target: string,
  port: number,
  user = 'admin',
): Promise<KubectlForward> {
  const child = spawnKubectl(cluster, ['port-forward', '--namespace', 'shop', target, `:${port}`], user);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill();
    await ended;
  };
  const local = new Promise<number>(resolve => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(chunk.toString());
      if (found) resolve(Number(found[1]));
    });
  });
  const failed = ended.then(() => {
    throw new Error(`port-forward to ${target}: ${said.trim()}`);
  });
  failed.catch(() => undefined); // after the start, its end is the caller's wish
  const timer = setTimeout(() => child.kill(), 30_000);
  try {
    return { port: await Promise.race([local, failed]), close };
  } finally {
    clearTimeout(timer);
  }
}
