import { randomInt, randomUUID } from 'node:crypto';
import { rfc3339, type ContainerSpec, type OwnerReference, type Pod } from '../api/objects.ts';
import { declaredAddress, type ContainerTemplate, type LivenessProbe, type PodTemplate } from '../kubelet/template.ts';

/** Letters of generated names: no vowels, no digits that look like them (apimachinery `pkg/util/rand`). */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

export const randomLetters = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export interface PodOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export const newOwner = (apiVersion: string, kind: string, name: string): PodOwner => ({
  apiVersion,
  kind,
  name,
  uid: randomUUID(),
});

/** A new pod of a workload, as the API server has it before it is scheduled. */
export function podOf(template: PodTemplate, namespace: string, owner: PodOwner, labels: Record<string, string>): Pod {
  const controller: OwnerReference = { ...owner, controller: true, blockOwnerDeletion: true };
  const creationTimestamp = rfc3339();
  return {
    metadata: {
      name: `${owner.name}-${randomLetters(5)}`,
      generateName: `${owner.name}-`,
      namespace,
      uid: randomUUID(),
      creationTimestamp,
      labels: { ...template.labels, ...labels },
      ...(template.annotations ? { annotations: { ...template.annotations } } : {}),
      ownerReferences: [controller],
      managedFields: [
        {
          manager: 'kube-controller-manager',
          operation: 'Update',
          apiVersion: 'v1',
          time: creationTimestamp,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:generateName': {}, 'f:labels': {}, 'f:ownerReferences': {} } },
        },
      ],
    },
    spec: {
      containers: template.containers.map(containerSpec),
      restartPolicy: template.restartPolicy ?? 'Always',
      terminationGracePeriodSeconds: 5,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      serviceAccount: 'default',
      securityContext: {},
      schedulerName: 'default-scheduler',
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  };
}

function containerSpec(template: ContainerTemplate): ContainerSpec {
  const env = Object.entries(template.environment?.(declaredAddress) ?? {}).map(([name, value]) => ({ name, value }));
  const { liveness, startup } = template;
  return {
    name: template.name,
    image: template.image,
    command: [...template.command(declaredAddress)],
    workingDir: template.directory,
    ...(template.ports.length > 0
      ? { ports: template.ports.map(port => ({ ...port, protocol: 'TCP' as const })) }
      : {}),
    ...(env.length > 0 ? { env } : {}),
    resources: {},
    ...(startup ? { startupProbe: startupProbe(startup) } : {}),
    ...(liveness ? { livenessProbe: livenessProbe(liveness) } : {}),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  };
}

const livenessProbe = ({ periodSeconds, timeoutSeconds, failureThreshold, ...how }: LivenessProbe) => ({
  ...('exec' in how ? { exec: { command: how.exec(declaredAddress) } } : {}),
  ...('http' in how ? { httpGet: { ...how.http, scheme: 'HTTP' } } : {}),
  ...('tcp' in how ? { tcpSocket: how.tcp } : {}),
  ...{ timeoutSeconds, periodSeconds, successThreshold: 1, failureThreshold },
});

const startupProbe = ({ path, port }: { path: string; port: number }) => ({
  httpGet: { path, port, scheme: 'HTTP' },
  timeoutSeconds: 1,
  periodSeconds: 1,
  successThreshold: 1,
  failureThreshold: 30,
});
