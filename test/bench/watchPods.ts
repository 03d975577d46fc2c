import { createHash } from 'node:crypto';

/** What the server says about itself in its first message. */
export interface ServerStart {
  readonly kubeconfig: string;
  readonly podBytes: number;
}

/** Pods in the size and shape of a real cluster (about 9 kB), the same ones in every run. */
export interface BenchPod {
  readonly debuggable: boolean;
  /** JSON before and after the resource version. */
  readonly before: string;
  readonly after: string;
}

const versionMark = '@version@';

/** Makes the pod of a number. */
export function benchPod(n: number, debuggable: boolean): BenchPod {
  const [before, after] = JSON.stringify(podObject(n, debuggable)).split(versionMark) as [string, string];
  return { debuggable, before, after };
}

/** A pod's JSON at a resource version. */
export const textOf = ({ before, after }: BenchPod, version: number): string => before + version + after;

const hash = (text: string, length: number) => createHash('sha256').update(text).digest('hex').slice(0, length);

function podObject(n: number, debuggable: boolean): object {
  const app = `service-${n % 200}`;
  const of = (part: string, length: number) => hash(`${part} ${n}`, length);
  const uid = `${of('uid', 8)}-${of('b', 4)}-${of('c', 4)}-${of('d', 4)}-${of('e', 12)}`;
  const names = [app, 'proxy', 'metrics'].slice(0, 1 + (n % 3));
  const config = { [app]: { artifact: app, runtime: 'nodejs', ports: { devtools: 9229 } } };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: `${app}-${of('set', 9)}-${of('pod', 5)}`,
      generateName: `${app}-${of('set', 9)}-`,
      namespace: `team-${n % 40}`,
      uid,
      resourceVersion: versionMark,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        app,
        'app.kubernetes.io/name': app,
        'app.kubernetes.io/part-of': 'shop',
        'pod-template-hash': of('set', 9),
      },
      annotations: {
        'checksum/config': of('config', 64),
        'prometheus.io/scrape': 'true',
        ...(debuggable ? { 'debug.cloud.google.com/config': JSON.stringify(config) } : {}),
      },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-${of('set', 9)}`, uid, controller: true },
      ],
      managedFields: ['kube-controller-manager', 'kubelet'].map(manager => managedFields(manager, names)),
    },
    spec: {
      volumes: [{ name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } }],
      containers: names.map((name, k) => containerSpec(name, k, of)),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: app,
      nodeName: `node-${n % 120}`,
      schedulerName: 'default-scheduler',
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(type => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
      hostIP: `10.1.0.${n % 250}`,
      podIP: `10.8.${n % 250}.${n % 199}`,
      startTime: '2026-01-01T00:00:00Z',
      containerStatuses: names.map(name => ({
        name,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: `registry.example/${app}/${name}:v1`,
        imageID: `registry.example/${app}/${name}@sha256:${of(name, 64)}`,
        containerID: `containerd://${of(`id ${name}`, 64)}`,
        started: true,
      })),
      qosClass: 'Burstable',
    },
  };
}

function containerSpec(name: string, k: number, of: (part: string, length: number) => string): object {
  return {
    name,
    image: `registry.example/${name}:v1@sha256:${of(name, 64)}`,
    args: ['--log-level=info', `--port=${8080 + k}`, '--metrics-address=:9090'],
    ports: [{ name: 'http', containerPort: 8080 + k, protocol: 'TCP' }],
    env: Array.from({ length: 12 }, (_, e) => ({
      name: `SETTING_${e}`,
      value: `value-${of(`env ${e}`, 10)}.svc:${8000 + e}`,
    })),
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
      periodSeconds: 10,
      failureThreshold: 3,
    },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 'http', scheme: 'HTTP' },
      periodSeconds: 5,
      failureThreshold: 3,
    },
    volumeMounts: [{ name: 'config', readOnly: true, mountPath: '/etc/config' }],
    terminationMessagePath: '/dev/termination-log',
    imagePullPolicy: 'IfNotPresent',
    securityContext: { capabilities: { drop: ['ALL'] }, runAsNonRoot: true, allowPrivilegeEscalation: false },
  };
}

function managedFields(manager: string, names: readonly string[]): object {
  const fields = [
    'image',
    'args',
    'env',
    'ports',
    'resources',
    'livenessProbe',
    'readinessProbe',
    'volumeMounts',
    'terminationMessagePath',
  ];
  const ofEnv = Object.fromEntries(
    Array.from({ length: 12 }, (_, e) => [`k:{"name":"SETTING_${e}"}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
  );
  const ofContainer = { '.': {}, ...Object.fromEntries(fields.map(field => [`f:${field}`, {}])), 'f:env': ofEnv };
  const containers = Object.fromEntries(names.map(name => [`k:{"name":"${name}"}`, ofContainer]));
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:containers': containers, 'f:dnsPolicy': {}, 'f:restartPolicy': {} } },
  };
}
