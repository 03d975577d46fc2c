import { spawnSync } from 'node:child_process';
import { WORKLOADS, type Workload } from '../../../src/demo/workloads.ts';
import type { LoginName } from '../../contract/cluster.ts';
import { contractSuite, SILENT } from '../../contract/contract.ts';
import { PLAIN_PROGRAM } from '../../contract/onDemand.ts';
import { demoFor } from '../demo/support.ts';

/** Where CI is set there has to be one: without it the pod of `orders` is missing, and its test fails. */
const hasJdk = spawnSync('javac', ['-version']).status === 0 || process.env['CI'] !== undefined;

const contexts: Readonly<Record<LoginName, string>> = {
  admin: 'breakpod-demo',
  developer: 'breakpod-demo-shop',
  viewer: 'breakpod-demo-viewer',
};

const silent: Workload = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'silent',
  folder: 'static',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'silent' },
    annotations: { 'debug.cloud.google.com/config': SILENT },
    containers: [
      {
        name: 'web',
        image: 'demo.breakpod/static:1',
        directory,
        command: () => ['node', '-e', 'setInterval(() => undefined, 1000)'],
        ports: [{ name: 'devtools', containerPort: 9229 }],
      },
    ],
  }),
};

const plain: Workload = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'plain',
  folder: 'static',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'plain' },
    containers: [
      {
        name: 'web',
        image: 'demo.breakpod/static:1',
        directory,
        command: at => ['node', `--inspect-port=${at(9229)}`, '-e', PLAIN_PROGRAM],
        ports: [],
        undeclaredPorts: [9229],
      },
    ],
  }),
};

contractSuite('the contract on the demo cluster', async after => {
  const workloads = WORKLOADS.filter(({ name }) => ['web', 'api', 'reports', 'crash', 'orders'].includes(name));
  const demo = await demoFor(after, {
    workloads: [...workloads, silent, plain],
    java: hasJdk ? 'auto' : 'off',
    backoff: { firstMs: 100, mostMs: 500 },
  });
  return {
    kubeconfig: login => ({ file: demo.kubeconfigFile, context: contexts[login] }),
    workloads: {
      web: { namespace: 'shop', app: 'web', containers: ['web'] },
      flags: { namespace: 'shop', app: 'api', containers: ['api'] },
      pair: { namespace: 'backoffice', app: 'reports', containers: ['reports', 'worker'] },
      crash: { namespace: 'backoffice', app: 'crash', containers: ['crash'] },
      silent: { namespace: 'shop', app: 'silent', containers: ['web'] },
      plain: { namespace: 'shop', app: 'plain', containers: ['web'] },
      ...(hasJdk ? { jvm: { namespace: 'shop', app: 'orders', containers: ['orders'] } } : {}),
    },
    restartContainer: ({ namespace, pod }, container) => demo.restart(namespace, pod, container),
    deletePod: ({ namespace, pod }) => demo.replace(namespace, pod),
  };
});
