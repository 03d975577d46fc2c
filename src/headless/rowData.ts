import { contextOf } from '../core/identity.ts';
import type { RunRow } from '../core/runRows.ts';
import type { Row } from '../core/selectors.ts';

/** A row as data: identity, phase, debug state, ports, evidence, reason. Absent values are null. */
export function rowData({
  container: c,
  state,
  reason,
  isStale,
  seenBy,
  run,
  disagreement,
  announced,
}: Row): Record<string, unknown> {
  const { detection } = c;
  return {
    context: contextOf(c.cluster),
    namespace: c.namespace,
    pod: c.pod,
    podUid: c.podUid,
    container: c.container,
    containerId: c.containerId ?? null,
    kind: c.kind,
    workload: c.workload,
    restarts: c.restarts,
    phase: c.phase,
    state,
    verdict: detection.verdict,
    runtime: detection.runtime ?? null,
    port: detection.port ?? null,
    ports: detection.ports,
    evidence: detection.evidence,
    found: detection.found,
    reason: reason ?? detection.reason ?? null,
    stale: isStale,
    seenBy,
    artifact: detection.artifact ?? null,
    run: run ?? null,
    runId: c.runId ?? null,
    direct: c.direct ?? null,
    disagreement: disagreement ?? null,
    announced: (announced ?? []).map(({ localPort, remotePort }) => ({ localPort, remotePort })),
  };
}

/** A running Skaffold as data: what it does, what has failed, and what it built that no debugger can be attached to. */
export const runData = ({
  source,
  name,
  origin,
  state,
  steps,
  undebuggable,
  rows,
}: RunRow): Record<string, unknown> => ({
  source,
  name: name ?? null,
  origin: origin ?? null,
  state: state.kind,
  steps,
  undebuggable,
  containers: rows.length,
});
