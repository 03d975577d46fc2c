/** The parts of Kubernetes objects that the demo cluster has; field names are the API's. Times are RFC 3339. */
export interface Pod {
  metadata: PodMetadata;
  spec: PodSpec;
  status: PodStatus;
}

export interface PodMetadata {
  name: string;
  generateName?: string;
  namespace: string;
  uid: string;
  /** Set by the store. */
  resourceVersion?: string;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  managedFields?: unknown[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller: true;
  blockOwnerDeletion: true;
}

export interface PodSpec {
  containers: ContainerSpec[];
  restartPolicy: RestartPolicy;
  terminationGracePeriodSeconds: number;
  nodeName?: string;
  [field: string]: unknown;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface ContainerSpec {
  name: string;
  image: string;
  command?: string[];
  workingDir?: string;
  env?: { name: string; value: string }[];
  ports?: { name?: string; containerPort: number; protocol: 'TCP' }[];
  [field: string]: unknown;
}

export interface PodStatus {
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  reason?: string;
  conditions?: PodCondition[];
  containerStatuses?: ContainerStatus[];
  podIP?: string;
  startTime?: string;
  [field: string]: unknown;
}

export interface PodCondition {
  type: string;
  status: 'True' | 'False';
  lastProbeTime: null;
  lastTransitionTime: string;
  reason?: string;
  message?: string;
}

export interface ContainerStatus {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started: boolean;
}

export interface ContainerState {
  waiting?: { reason: string; message?: string };
  running?: { startedAt: string };
  terminated?: Terminated;
}

export interface Terminated {
  exitCode: number;
  signal?: number;
  reason: string;
  message?: string;
  startedAt: string;
  finishedAt: string;
  containerID: string;
}

/** The API writes times to the second. */
export const rfc3339 = (at = new Date()): string => at.toISOString().replace(/\.\d+/, '');

/** What names a pod at any one moment. */
export const podKey = (namespace: string, name: string): string => `${namespace}/${name}`;
