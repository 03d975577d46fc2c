import type { Probe } from '../../core/model.ts';
import type { ContainerStatus, PodContainer, ProbeSpec } from './pod.ts';

/** The probes of a container, with the defaults of Kubernetes (API reference, `Probe`); a startup probe only until it has succeeded. */
export function probesOf(spec: PodContainer, status: ContainerStatus | undefined): readonly Probe[] {
  const startup = status?.started === true ? undefined : spec.startupProbe;
  const all = [
    probeOf('liveness', spec.livenessProbe),
    probeOf('readiness', spec.readinessProbe),
    probeOf('startup', startup),
  ];
  return all.filter(probe => probe !== undefined);
}

function probeOf(kind: Probe['kind'], spec: ProbeSpec | null | undefined): Probe | undefined {
  const how = spec && handlerOf(spec);
  if (!how) return undefined;
  return {
    kind,
    ...how,
    periodSeconds: positive(spec.periodSeconds, 10),
    timeoutSeconds: positive(spec.timeoutSeconds, 1),
    failureThreshold: positive(spec.failureThreshold, 3),
  };
}

function handlerOf({ exec, tcpSocket, grpc, httpGet }: ProbeSpec): Pick<Probe, 'handler' | 'port'> | undefined {
  if (exec) return { handler: 'exec' };
  if (tcpSocket) return { handler: 'tcp', ...portOf(tcpSocket.port) };
  if (grpc) return { handler: 'grpc', ...portOf(grpc.port) };
  return httpGet ? { handler: 'http', ...portOf(httpGet.port) } : undefined;
}

const portOf = (port: unknown): Pick<Probe, 'port'> =>
  typeof port === 'number' || typeof port === 'string' ? { port } : {};

const positive = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value > 0 ? value : otherwise;
