import { contractSuite, SILENT } from '../contract/contract.ts';
import { PLAIN_PROGRAM } from '../contract/onDemand.ts';
import type { LoginName } from '../contract/cluster.ts';
import { deletePod, killContainer } from './cluster/faults/pods.ts';
import { kubeconfigOf } from './cluster/kubeconfig.ts';
import { kubectl } from './cluster/kubectl.ts';
import { clusterFor, skip } from './support/clusterFor.ts';

const users: Readonly<Record<LoginName, string>> = { admin: 'admin', developer: 'dev', viewer: 'viewer' };

const silent = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'silent',
    namespace: 'shop',
    labels: { app: 'silent' },
    annotations: { 'debug.cloud.google.com/config': SILENT },
  },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      { name: 'web', image: 'breakpod.test/node:1', command: ['node', '-e', 'setInterval(() => undefined, 1000)'] },
    ],
  },
};

const plain = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'plain', namespace: 'shop', labels: { app: 'plain' } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'web', image: 'breakpod.test/node:1', command: ['node', '-e', PLAIN_PROGRAM] }],
  },
};

// The old one cannot list by watching.
for (const etcd of ['new', 'old'])
  contractSuite(
    `the contract on the real node with the ${etcd} etcd`,
    async after => {
      const cluster = await clusterFor(after, { name: `contract-${etcd}`, etcd });
      for (const pod of [silent, plain]) await kubectl(cluster, ['apply', '-f', '-'], { input: JSON.stringify(pod) });
      return {
        kubeconfig: login => ({ file: kubeconfigOf(cluster, users[login]) }),
        workloads: {
          web: { namespace: 'shop', app: 'node', containers: ['web'] },
          flags: { namespace: 'shop', app: 'flags', containers: ['web'] },
          pair: { namespace: 'shop', app: 'two', containers: ['front', 'back'] },
          crash: { namespace: 'shop', app: 'crash', containers: ['web'] },
          silent: { namespace: 'shop', app: 'silent', containers: ['web'] },
          plain: { namespace: 'shop', app: 'plain', containers: ['web'] },
          jvm: { namespace: 'shop', app: 'java', containers: ['web'] },
        },
        restartContainer: ({ pod }, container) => killContainer(cluster, pod, container),
        deletePod: ({ pod }) => deletePod(cluster, pod, '--wait=false'),
      };
    },
    { skip },
  );
