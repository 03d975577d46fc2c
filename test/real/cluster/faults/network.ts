// What can go wrong between host and node. Traffic inside the node is not touched.
import { kubeconfigOf } from '../kubeconfig.ts';
import { inNode } from '../node.ts';
import { bin } from '../paths.ts';
import { run } from '../run.ts';
import type { Cluster } from '../state.ts';

/** A fault that lasts until it is undone. */
export interface Fault {
  begin(cluster: Cluster): Promise<unknown>;
  end(cluster: Cluster): Promise<unknown>;
}

/** Link down: new connections fail at once (EHOSTUNREACH), open ones hang until it is up again. */
export const linkDown: Fault = {
  begin: ({ link }) => run('ip', ['link', 'set', link, 'down']),
  end: ({ link }) => run('ip', ['link', 'set', link, 'up']),
};

const drops = [
  ['INPUT', '-i', 'eth0', '-j', 'DROP'],
  ['OUTPUT', '-o', 'eth0', '-j', 'DROP'],
];

/** Every packet is dropped in silence, so connections stay open but deaf, as after sleep or with a VPN gone. */
export const deaf: Fault = {
  begin: cluster => inNodeTables(cluster, '-I', drops),
  end: cluster => inNodeTables(cluster, '-D', drops),
};

const resets = [['INPUT', '-i', 'eth0', '-p', 'tcp', '-j', 'REJECT', '--reject-with', 'tcp-reset']];

/** Refuses new connections; an open one is reset when the host sends its next packet, be it only an acknowledgement. */
export const refusing: Fault = {
  begin: cluster => inNodeTables(cluster, '-I', resets),
  end: cluster => inNodeTables(cluster, '-D', resets),
};

/** Rules of the node's own network namespace. */
async function inNodeTables(
  cluster: Cluster,
  action: '-I' | '-D',
  rules: readonly (readonly string[])[],
): Promise<void> {
  for (const rule of rules) await inNode(cluster, 'iptables', action, ...rule);
}

/** The administrator's kubectl inside the node, which none of these faults reaches. */
export const kubectlInNode = (cluster: Cluster, ...args: string[]): Promise<string> =>
  inNode(cluster, bin('kubectl'), '--kubeconfig', kubeconfigOf(cluster, 'admin'), ...args);
