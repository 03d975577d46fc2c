import type { SlotId } from '../core/identity.ts';
import { type Row, workloadsOf, type WorkloadRows } from '../core/selectors.ts';

/**
 * A container. `place` is what the label leaves out, for the description; `short` is the label without what the node
 * above says, which leaves room for the state.
 */
export type ContainerNode = Readonly<{
  kind: 'container';
  id: string;
  label: string;
  short?: string;
  place?: string;
  row: Row;
}>;

/** Why the last attach to a container failed, as a line below its row. */
export type FailureNode = Readonly<{ kind: 'failure'; id: string; row: Row }>;

/** A level above containers. */
export type GroupNode = Readonly<{
  kind: 'namespace' | 'workload';
  id: string;
  label: string;
  /** Kind of the workload. */
  detail?: string;
  children: readonly TreeNode[];
}>;

/** What the tree shows; plain data. */
export type TreeNode = ContainerNode | FailureNode | GroupNode;

const failureSuffix = '/failure';

/** The container that a node of the tree is about, by its id; not for namespaces and workloads. */
export const slotOf = (id: string): SlotId =>
  (id.endsWith(failureSuffix) ? id.slice(0, -failureSuffix.length) : id) as SlotId;

/** Namespaces, workloads, containers; a level with a single child is left out. */
export function treeOf(rows: readonly Row[]): readonly TreeNode[] {
  const namespaces = Map.groupBy(workloadsOf(rows), ({ namespace }) => namespace);
  if (namespaces.size <= 1) return [...namespaces.values()].flat().map(workloadNode);
  return [...namespaces].map(([namespace, workloads]) => ({
    kind: 'namespace',
    id: JSON.stringify(['namespace', workloads[0]!.cluster, namespace]),
    label: namespace,
    children: workloads.map(workloadNode),
  }));
}

/** The nodes below a node; none below one that is gone. */
export function childrenOf(node: TreeNode | undefined): readonly TreeNode[] {
  switch (node?.kind) {
    case 'namespace':
    case 'workload':
      return node.children;
    case 'container':
      return node.row.failure ? [{ kind: 'failure', id: node.id + failureSuffix, row: node.row }] : [];
    case 'failure':
    case undefined:
      return [];
    default:
      return node satisfies never;
  }
}

function workloadNode({ cluster, namespace, workload, rows }: WorkloadRows): TreeNode {
  const [only] = rows;
  if (rows.length === 1 && only) return singleNode(only);
  return {
    kind: 'workload',
    id: JSON.stringify(['workload', cluster, namespace, workload.kind, workload.name]),
    label: workload.name,
    detail: workload.kind,
    children: rows.map(row => containerNode(row, rows)),
  };
}

/** A workload's only container has the workload's name, which people know better than the pod's. */
function singleNode(row: Row): ContainerNode {
  const { slot, container, workload } = row.container;
  const place = container === workload.name ? {} : { place: container };
  return { kind: 'container', id: slot, label: workload.name, ...place, row };
}

/** The label is what tells the containers of a workload apart: the container, the pod, or both. */
function containerNode(row: Row, all: readonly Row[]): ContainerNode {
  const { slot, container, pod, workload } = row.container;
  const base = { kind: 'container', id: slot, row } as const;
  if (all.every(other => other.container.container === container)) {
    const isNamedAfter = pod.startsWith(`${workload.name}-`);
    return { ...base, label: pod, ...(isNamedAfter ? { short: `…${pod.slice(workload.name.length)}` } : {}) };
  }
  if (all.every(other => other.container.pod === pod)) return { ...base, label: container };
  return { ...base, label: container, place: pod };
}
