import assert from 'node:assert/strict';
import test from 'node:test';
import type { ContainerStatus, PodContainer } from '../../../../src/cluster/pods/pod.ts';
import { probesOf } from '../../../../src/cluster/pods/probes.ts';

const defaults = { periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 };

const cases: { name: string; spec: PodContainer; status?: ContainerStatus; want: unknown }[] = [
  { name: 'none', spec: {}, want: [] },
  {
    name: 'defaults',
    spec: { livenessProbe: { exec: {} } },
    want: [{ kind: 'liveness', handler: 'exec', ...defaults }],
  },
  {
    name: 'all fields',
    spec: {
      readinessProbe: { httpGet: { port: 'http' }, periodSeconds: 5, timeoutSeconds: 600, failureThreshold: 1 },
    },
    want: [
      {
        kind: 'readiness',
        handler: 'http',
        port: 'http',
        periodSeconds: 5,
        timeoutSeconds: 600,
        failureThreshold: 1,
      },
    ],
  },
  {
    name: 'a startup probe that has not succeeded',
    spec: { startupProbe: { grpc: { port: 9000 } } },
    status: { started: false },
    want: [{ kind: 'startup', handler: 'grpc', port: 9000, ...defaults }],
  },
  {
    name: 'a startup probe that has succeeded',
    spec: { startupProbe: { tcpSocket: { port: 1 } } },
    status: { started: true },
    want: [],
  },
  { name: 'a probe that says not how', spec: { livenessProbe: { periodSeconds: 1 }, readinessProbe: null }, want: [] },
];

for (const { name, spec, status, want } of cases)
  test(`probes: ${name}`, () => assert.deepEqual(probesOf(spec, status), want));
