import type { Detection } from '../../core/model.ts';

/** Looks at one container of a pod's specification; pure. */
export type Detect = (spec: PodContainer, pod: Pod) => Detection;

/** A sentence for people about a pod's set-up, a warning unless it says otherwise; `key` tells what has been said already. */
export type Remark = Readonly<{ key: string; text: string; level?: 'info' | 'warn' }>;

/**
 * The parts of a Pod (`v1`, Kubernetes API reference) that Breakpod reads. Anything may be absent or null: servers
 * leave empty fields out, and a file that a person wrote holds what that person wrote.
 */
export interface Pod {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: PodMeta | null;
  readonly spec?: PodSpec | null;
  readonly status?: PodStatus | null;
}

export interface PodMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string | null;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly annotations?: Readonly<Record<string, string>> | null;
  readonly ownerReferences?: readonly OwnerReference[] | null;
}

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly restartPolicy?: string;
  readonly shareProcessNamespace?: boolean | null;
  readonly containers?: readonly PodContainer[] | null;
  readonly initContainers?: readonly PodContainer[] | null;
  readonly ephemeralContainers?: readonly PodContainer[] | null;
}

/** A regular, init or ephemeral container of a specification. */
export interface PodContainer {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[] | null;
  readonly args?: readonly string[] | null;
  readonly env?: readonly EnvVar[] | null;
  readonly envFrom?: readonly unknown[] | null;
  readonly ports?: readonly ContainerPort[] | null;
  readonly workingDir?: string;
  readonly volumeMounts?: readonly { readonly mountPath?: string }[] | null;
  readonly stdin?: boolean | null;
  /** `Always` makes an init container a sidecar. */
  readonly restartPolicy?: string;
  readonly livenessProbe?: ProbeSpec | null;
  readonly readinessProbe?: ProbeSpec | null;
  readonly startupProbe?: ProbeSpec | null;
  /** Ephemeral containers only. */
  readonly targetContainerName?: string;
}

/** A probe; the fields that say how are there one at a time. */
export interface ProbeSpec {
  readonly exec?: object | null;
  readonly tcpSocket?: { readonly port?: number | string } | null;
  readonly grpc?: { readonly port?: number } | null;
  readonly httpGet?: { readonly port?: number | string } | null;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

export interface EnvVar {
  readonly name?: string;
  /** Absent when the value comes from `valueFrom`. */
  readonly value?: string;
  readonly valueFrom?: unknown;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort?: number;
  readonly hostPort?: number;
  readonly protocol?: string;
}

export interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly podIP?: string;
  readonly conditions?: readonly PodCondition[] | null;
  readonly containerStatuses?: readonly ContainerStatus[] | null;
  readonly initContainerStatuses?: readonly ContainerStatus[] | null;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[] | null;
}

export interface PodCondition {
  readonly type?: string;
  /** `True`, `False` or `Unknown`. */
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStatus {
  readonly name?: string;
  readonly image?: string;
  readonly imageID?: string;
  readonly containerID?: string;
  readonly ready?: boolean;
  readonly started?: boolean | null;
  readonly restartCount?: number;
  readonly state?: ContainerState | null;
  readonly lastState?: ContainerState | null;
}

/** At most one of the three is there; none means waiting. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string } | null;
  readonly running?: { readonly startedAt?: string | null } | null;
  readonly terminated?: TerminatedState | null;
}

export interface TerminatedState {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
  readonly containerID?: string;
}
