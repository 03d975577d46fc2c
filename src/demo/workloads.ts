import type { ContainerTemplate, PodTemplate } from './kubelet/template.ts';

/** Something that makes pods. */
export interface Workload {
  readonly kind: 'Deployment' | 'Job';
  readonly namespace: string;
  readonly name: string;
  /** Folder of its sources in the workspace. */
  readonly folder: string;
  readonly language: 'javascript' | 'typescript' | 'java';
  /** `directory` stands for the image's working directory. */
  template(directory: string): PodTemplate;
}

export const NAMESPACES = ['backoffice', 'default', 'shop'] as const;

const http = { name: 'http', containerPort: 8080 };
const devtools = (containerPort: number) => ({ name: 'devtools', containerPort });
const startup = { path: '/ready', port: 8080 };

/** The annotation that Skaffold writes, for containers of this workload. */
const debugAnnotation = (containers: Readonly<Record<string, object>>) => ({
  'debug.cloud.google.com/config': JSON.stringify(containers),
});

const nodeDebug = (artifact: string, workingDir: string, port: number) => ({
  artifact,
  runtime: 'nodejs',
  workingDir,
  ports: { devtools: port },
});

/** A container that serves HTTP on 8080. */
const service = (fields: Omit<ContainerTemplate, 'environment' | 'startup'>): ContainerTemplate => ({
  ...fields,
  environment: at => ({ LISTEN: at(8080) }),
  startup,
});

const web: Workload = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
  folder: 'web',
  language: 'typescript',
  template: directory => ({
    labels: { app: 'web' },
    annotations: debugAnnotation({ web: nodeDebug('web', directory, 9229) }),
    containers: [
      service({
        name: 'web',
        image: 'demo.breakpod/web:1',
        directory,
        command: at => ['node', `--inspect=${at(9229)}`, 'dist/server.js'],
        ports: [http, devtools(9229)],
      }),
    ],
  }),
};

const api: Workload = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'api',
  folder: 'api',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'api' },
    containers: [
      service({
        name: 'api',
        image: 'demo.breakpod/api:1',
        directory,
        command: at => ['node', `--inspect=${at(9229)}`, 'server.js'],
        ports: [http],
        undeclaredPorts: [9229],
      }),
    ],
  }),
};

const orders: Workload = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'orders',
  folder: 'orders',
  language: 'java',
  template: directory => ({
    labels: { app: 'orders' },
    annotations: debugAnnotation({
      orders: { artifact: 'orders', runtime: 'jvm', workingDir: directory, ports: { jdwp: 5005 } },
    }),
    containers: [
      {
        name: 'orders',
        image: 'demo.breakpod/orders:1',
        directory,
        command: () => ['java', '-cp', 'classes', 'Orders'],
        environment: at => ({
          JAVA_TOOL_OPTIONS: `-agentlib:jdwp=transport=dt_socket,server=y,address=${at(5005)},suspend=n,quiet=y`,
          LISTEN: at(8080),
        }),
        ports: [http, { name: 'jdwp', containerPort: 5005 }],
        startup,
      },
    ],
  }),
};

const staticSite: Workload = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'static',
  folder: 'static',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'static' },
    containers: [
      service({
        name: 'static',
        image: 'demo.breakpod/static:1',
        directory,
        // No inspector; where it would be if somebody opened it is said, since all of this machine's pods share its ports.
        command: at => ['node', `--inspect-port=${at(9229)}`, 'server.js'],
        ports: [http],
        undeclaredPorts: [9229],
      }),
    ],
  }),
};

const reports: Workload = {
  kind: 'Deployment',
  namespace: 'backoffice',
  name: 'reports',
  folder: 'reports',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'reports' },
    annotations: debugAnnotation({
      reports: nodeDebug('reports', directory, 9229),
      worker: nodeDebug('reports', directory, 9230),
    }),
    containers: [
      service({
        name: 'reports',
        image: 'demo.breakpod/reports:1',
        directory,
        command: at => ['node', `--inspect=${at(9229)}`, 'server.js'],
        ports: [http, devtools(9229)],
      }),
      {
        name: 'worker',
        image: 'demo.breakpod/reports:1',
        directory,
        command: at => ['node', `--inspect=${at(9230)}`, 'worker.js'],
        ports: [devtools(9230)],
      },
    ],
  }),
};

const crash: Workload = {
  kind: 'Deployment',
  namespace: 'backoffice',
  name: 'crash',
  folder: 'crash',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'crash' },
    annotations: debugAnnotation({ crash: nodeDebug('crash', directory, 9229) }),
    containers: [
      {
        name: 'crash',
        image: 'demo.breakpod/crash:1',
        directory,
        command: at => ['node', `--inspect=${at(9229)}`, 'main.js'],
        ports: [devtools(9229)],
      },
    ],
  }),
};

const cleanup: Workload = {
  kind: 'Job',
  namespace: 'backoffice',
  name: 'cleanup',
  folder: 'cleanup',
  language: 'javascript',
  template: directory => ({
    labels: { app: 'cleanup', 'job-name': 'cleanup', 'batch.kubernetes.io/job-name': 'cleanup' },
    restartPolicy: 'Never',
    containers: [
      { name: 'cleanup', image: 'demo.breakpod/cleanup:1', directory, command: () => ['node', 'main.js'], ports: [] },
    ],
  }),
};

/** What the demo cluster runs. */
export const WORKLOADS: readonly Workload[] = [web, api, orders, staticSite, reports, crash, cleanup];
