/** A container of one pod, through all its restarts: what a row of the tree stands for. Only compared. */
export type SlotId = string & { readonly brand: 'SlotId' };
/** One run of one container. Only compared. */
export type InstanceId = string & { readonly brand: 'InstanceId' };
/** What a session follows through restarts and rollouts: workload and container, not the pod. Only compared. */
export type FollowId = string & { readonly brand: 'FollowId' };

/** Where a container lives. `cluster` is API server and context, as `clusterId` makes it. */
export interface Place {
  readonly cluster: string;
  readonly namespace: string;
  readonly container: string;
}

/** What tells one run of a container from another. */
export interface Run {
  /** Pod names come back on other pods; UIDs do not. */
  readonly podUid: string;
  readonly containerId?: string | undefined;
  readonly restarts: number;
  /** RFC 3339, as the kubelet reports it. */
  readonly startedAt?: string | undefined;
}

export const clusterId = (server: string, context: string): string => key(server, context);

/** The container's name out of what `followId` made. */
export const followedContainer = (follow: FollowId): string => (JSON.parse(follow) as string[])[3] ?? '';

/** The context's name out of what `clusterId` made. */
export const contextOf = (cluster: string): string => (JSON.parse(cluster) as string[])[1] ?? '';

export const slotId = (at: Place, podUid: string): SlotId =>
  key(at.cluster, at.namespace, podUid, at.container) as SlotId;

/** Restart count and start time stand in until the container ID is known. */
export const instanceId = (at: Place, run: Run): InstanceId =>
  key(
    at.cluster,
    at.namespace,
    run.podUid,
    at.container,
    run.containerId ?? `${run.restarts}@${run.startedAt ?? ''}`,
  ) as InstanceId;

/** `workload` is kind and name of the controlling owner, a ReplicaSet's hash removed. */
export const followId = (at: Place, workload: string): FollowId =>
  key(at.cluster, at.namespace, workload, at.container) as FollowId;

/**
 * Whether two reports speak of the same run. Restart counts are capped and can fall (kubernetes/kubernetes#12485), so
 * they count only together with another start time, and only while no container ID is known.
 */
export function sameRun(a: Run, b: Run): boolean {
  if (a.podUid !== b.podUid) return false;
  if (a.containerId && b.containerId) return a.containerId === b.containerId;
  return a.restarts === b.restarts || a.startedAt === b.startedAt;
}

/** JSON keeps the parts apart, whatever characters they hold. */
const key = (...parts: readonly string[]) => JSON.stringify(parts);
