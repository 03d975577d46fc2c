import { contextOf, type SlotId } from '../core/identity.ts';
import type { SourceName } from '../core/model.ts';
import type { Undebuggable } from '../core/built.ts';
import type { RunRow } from '../core/runRows.ts';
import type { TaskStep } from '../core/runState.ts';
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
  kind: 'cluster' | 'namespace' | 'workload';
  id: string;
  label: string;
  /** Kind of the workload. */
  detail?: string;
  children: readonly TreeNode[];
}>;

/** A running Skaffold; it stands there also with nothing below it, since it carries actions. */
export type RunNode = Readonly<{
  kind: 'run';
  id: string;
  /** Without its containers and steps, which are below it. */
  run: Omit<RunRow, 'rows' | 'steps' | 'undebuggable'>;
  children: readonly TreeNode[];
}>;

/** What a Skaffold does at the moment, or what has failed. */
export type StepNode = Readonly<{ kind: 'step'; id: string; step: TaskStep }>;

/** Skaffold's advice on a step that has failed, as a line below it. */
export type AdviceNode = Readonly<{ kind: 'advice'; id: string; step: TaskStep }>;

/** An artifact that was built, and that no debugger can be attached to. */
export type ArtifactNode = Readonly<{ kind: 'artifact'; id: string; built: Undebuggable }>;

/** What the tree shows; plain data. */
export type TreeNode = ContainerNode | FailureNode | GroupNode | RunNode | StepNode | AdviceNode | ArtifactNode;

const failureSuffix = '/failure';
const adviceSuffix = '/advice';

/** The container that a node of the tree is about, by its id; not for levels above containers. */
export const slotOf = (id: string): SlotId =>
  (id.endsWith(failureSuffix) ? id.slice(0, -failureSuffix.length) : id) as SlotId;

/** The run that a node of the tree is about, by its id: its own row, or a step or an artifact of it. */
export function runOfId(id: string): SourceName | undefined {
  const key = id.endsWith(adviceSuffix) ? id.slice(0, -adviceSuffix.length) : id;
  if (!/^\["(run|step|artifact)",/.test(key)) return undefined;
  const source: unknown = (JSON.parse(key) as unknown[])[1];
  return typeof source === 'string' ? source : undefined;
}

/**
 * Running Skaffolds, each with what it does and its containers; containers of none below their cluster. Without a Skaffold
 * namespaces, workloads, containers. A level of those with a single child is left out.
 */
export function treeOf(rows: readonly Row[], runs: readonly RunRow[] = []): readonly TreeNode[] {
  if (runs.length === 0) return placesOf(rows);
  const others = Map.groupBy(
    rows.filter(({ run }) => !runs.some(({ source }) => source === run)),
    ({ container }) => container.cluster,
  );
  return [...runs.map(runNode), ...[...others].map(([cluster, own]) => clusterNode(cluster, own))];
}

function placesOf(rows: readonly Row[]): readonly TreeNode[] {
  const namespaces = Map.groupBy(workloadsOf(rows), ({ namespace }) => namespace);
  if (namespaces.size <= 1) return [...namespaces.values()].flat().map(workloadNode);
  return [...namespaces].map(([namespace, workloads]) => ({
    kind: 'namespace',
    id: JSON.stringify(['namespace', workloads[0]!.cluster, namespace, ...ownerOf(workloads[0]!)]),
    label: namespace,
    children: workloads.map(workloadNode),
  }));
}

/** Containers of a run and others can be in one namespace, and even in one workload. */
const ownerOf = ({ rows }: WorkloadRows): readonly SourceName[] => (rows[0]?.run === undefined ? [] : [rows[0].run]);

function runNode({ rows, steps, undebuggable, ...run }: RunRow): RunNode {
  const { source } = run;
  return {
    kind: 'run',
    // Another id when it is joined: VS Code leaves a row folded that had nothing below it.
    id: JSON.stringify(['run', source, ...(run.state.kind === 'offered' ? ['offered'] : [])]),
    run,
    children: [
      ...steps.map((step): StepNode => ({
        kind: 'step',
        id: JSON.stringify(['step', source, step.task, step.subject, ...(step.failure ? ['failed'] : [])]),
        step,
      })),
      ...undebuggable.map((built): ArtifactNode => ({
        kind: 'artifact',
        id: JSON.stringify(['artifact', source, built.artifact]),
        built,
      })),
      ...placesOf(rows),
    ],
  };
}

const clusterNode = (cluster: string, rows: readonly Row[]): GroupNode => ({
  kind: 'cluster',
  id: JSON.stringify(['cluster', cluster]),
  label: contextOf(cluster),
  children: placesOf(rows),
});

/** All containers below the node of this id. */
export function containersBelow(nodes: readonly TreeNode[], id: string): readonly ContainerNode[] {
  for (const node of nodes) {
    const below = node.id === id ? containersIn(node) : containersBelow(childrenOf(node), id);
    if (below.length > 0) return below;
  }
  return [];
}

/** A container itself, or all below. */
export const containersIn = (node: TreeNode): readonly ContainerNode[] =>
  node.kind === 'container' ? [node] : childrenOf(node).flatMap(containersIn);

/** The nodes below a node; none below one that is gone. */
export function childrenOf(node: TreeNode | undefined): readonly TreeNode[] {
  switch (node?.kind) {
    case 'run':
    case 'cluster':
    case 'namespace':
    case 'workload':
      return node.children;
    case 'container':
      return node.row.failure ? [{ kind: 'failure', id: node.id + failureSuffix, row: node.row }] : [];
    case 'step':
      return node.step.failure ? [{ kind: 'advice', id: node.id + adviceSuffix, step: node.step }] : [];
    case 'failure':
    case 'advice':
    case 'artifact':
    case undefined:
      return [];
    default:
      return node satisfies never;
  }
}

function workloadNode(group: WorkloadRows): TreeNode {
  const { cluster, namespace, workload, rows } = group;
  const [only] = rows;
  if (rows.length === 1 && only) return singleNode(only);
  return {
    kind: 'workload',
    id: JSON.stringify(['workload', cluster, namespace, workload.kind, workload.name, ...ownerOf(group)]),
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
