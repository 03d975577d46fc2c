import type { Row } from '../core/selectors.ts';

/** A row as data: identity, phase, debug state, ports, evidence, reason. Absent values are null. */
export function rowData({ container: c, state, reason, isStale, seenBy }: Row): Record<string, unknown> {
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
  };
}

/** The context's name out of a cluster id. */
const contextOf = (cluster: string): string => (JSON.parse(cluster) as string[])[1] ?? '';
