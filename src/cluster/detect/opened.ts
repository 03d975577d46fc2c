import type { Detection } from '../../core/model.ts';
import { listOf } from '../pods/lists.ts';
import type { Detect, Pod, PodContainer } from '../pods/pod.ts';

/** A run of a container in which an inspector was opened while it ran. */
export interface OpenedRun {
  readonly podUid: string;
  readonly pod: string;
  readonly container: string;
  readonly containerId: string;
  readonly port: number;
  /** Which program, for people. */
  readonly program: string;
  /** Where that was started. */
  readonly workingDir?: string;
}

/** Inspectors that were opened on demand: of these containers the specification says nothing. Each is forgotten with its run. */
export class OpenedInspectors {
  /** By pod and container. */
  private readonly runs = new Map<string, OpenedRun>();

  add(run: OpenedRun): void {
    this.runs.set(keyOf(run.podUid, run.container), run);
  }

  /** `detect` that knows them. */
  detectWith(detect: Detect): Detect {
    return (spec, pod) => {
      const seen = detect(spec, pod);
      const run = this.runs.get(keyOf(pod.metadata?.uid, spec.name));
      return run && isSameRun(run, spec, pod) ? detected(seen, run) : seen;
    };
  }

  /** Words of their pods (as JSON, the way API servers write it). */
  get words(): readonly string[] {
    return [...this.runs.values()].map(({ pod }) => `"name":"${pod}"`);
  }
}

const keyOf = (podUid: string | undefined, container: string | undefined) => `${podUid}/${container}`;

function isSameRun({ containerId }: OpenedRun, spec: PodContainer, { status }: Pod): boolean {
  const all = [status?.containerStatuses, status?.initContainerStatuses, status?.ephemeralContainerStatuses];
  return all.some(statuses => listOf(statuses).some(one => one.name === spec.name && one.containerID === containerId));
}

function detected(seen: Detection, { port, program, workingDir }: OpenedRun): Detection {
  const { reason: _, ...others } = seen;
  return {
    ...others,
    verdict: 'live',
    runtime: 'nodejs',
    port,
    ports: { devtools: port },
    evidence: 'on-demand',
    found: `its inspector was opened while it ran: process ${program}`,
    listed: true,
    ...(seen.workingDir === undefined && workingDir ? { workingDir } : {}),
  };
}
