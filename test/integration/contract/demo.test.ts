import { WORKLOADS } from '../../../src/demo/workloads.ts';
import type { LoginName } from '../../contract/cluster.ts';
import { contractSuite } from '../../contract/contract.ts';
import { demoFor } from '../demo/support.ts';

const contexts: Readonly<Record<LoginName, string>> = {
  admin: 'breakpod-demo',
  developer: 'breakpod-demo-shop',
  viewer: 'breakpod-demo-viewer',
};

contractSuite('the contract on the demo cluster', async after => {
  const workloads = WORKLOADS.filter(({ name }) => ['web', 'api', 'reports', 'crash'].includes(name));
  const demo = await demoFor(after, { workloads, backoff: { firstMs: 100, mostMs: 500 } });
  return {
    kubeconfig: login => ({ file: demo.kubeconfigFile, context: contexts[login] }),
    workloads: {
      web: { namespace: 'shop', app: 'web', containers: ['web'] },
      flags: { namespace: 'shop', app: 'api', containers: ['api'] },
      pair: { namespace: 'backoffice', app: 'reports', containers: ['reports', 'worker'] },
      crash: { namespace: 'backoffice', app: 'crash', containers: ['crash'] },
    },
    restartContainer: ({ namespace, pod }, container) => demo.restart(namespace, pod, container),
    deletePod: ({ namespace, pod }) => demo.replace(namespace, pod),
  };
});
