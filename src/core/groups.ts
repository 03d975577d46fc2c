import { isBuiltFrom } from './built.ts';
import type { State } from './model.ts';
import { runRowsOf } from './runRows.ts';
import { type Row, rowsOf } from './selectors.ts';

/** A module of a skaffold.yaml, by the artifacts that it builds. */
export type ModuleArtifacts = Readonly<{ name: string; artifacts: readonly string[] }>;

/** Containers that people mean together. */
export type Group = Readonly<{
  kind: 'session' | 'module' | 'namespace' | 'workload';
  name: string;
  /** Namespace of a workload. */
  place?: string;
  rows: readonly Row[];
}>;

/** What can be meant together, the widest first; workloads where they have several containers. */
export function groupsOf(state: State, modules: readonly ModuleArtifacts[]): readonly Group[] {
  const rows = rowsOf(state);
  const sessions = runRowsOf(state, rows).map(({ source, name = source, rows: own }) => of('session', name, own));
  const ofModule = ({ artifacts }: ModuleArtifacts) =>
    rows.filter(({ container }) => artifacts.some(artifact => isBuiltFrom(container, artifact)));
  const namespaces = Map.groupBy(
    rows.filter(({ container }) => container.namespace !== ''),
    ({ container }) => container.namespace,
  );
  const workloads = Map.groupBy(rows, ({ container: c }) =>
    JSON.stringify([c.cluster, c.namespace, c.workload.kind, c.workload.name]),
  );
  return [
    ...sessions,
    ...modules.map(module => of('module', module.name, ofModule(module))),
    ...[...namespaces].map(([name, own]) => of('namespace', name, own)),
    ...[...workloads.values()].filter(own => own.length > 1).map(workloadGroup),
  ].filter(group => group.rows.length > 0);
}

const of = (kind: Group['kind'], name: string, rows: readonly Row[]): Group => ({ kind, name, rows });

function workloadGroup(rows: readonly Row[]): Group {
  const { workload, namespace } = rows[0]!.container;
  return { kind: 'workload', name: workload.name, place: namespace, rows };
}
