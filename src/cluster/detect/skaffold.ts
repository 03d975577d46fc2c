import { RUN_LABEL } from '../pods/decoder.ts';
import { listOf } from '../pods/lists.ts';
import { podEnded } from '../pods/phase.ts';
import type { Pod, Remark } from '../pods/pod.ts';
import { workloadOf } from '../pods/workload.ts';
import { ANNOTATION } from './annotation.ts';
import { detect } from './detect.ts';

/** A pod without it was not deployed by Skaffold. */
export const skaffoldTriggers: readonly string[] = [RUN_LABEL];

/** Kinds that `skaffold debug` sets up (Skaffold `pkg/skaffold/kubernetes/debugging`). */
const SET_UP: ReadonlySet<string> = new Set([
  'Pod',
  'ReplicationController',
  'Deployment',
  'DaemonSet',
  'ReplicaSet',
  'StatefulSet',
  'Job',
]);

/** Why a workload that Skaffold deployed has no rows: said once for each, since its pods are not shown. */
export function skaffoldProblems(pod: Pod): Remark[] {
  const { labels, annotations, namespace = 'default', deletionTimestamp } = pod.metadata ?? {};
  if (typeof labels?.[RUN_LABEL] !== 'string' || annotations?.[ANNOTATION] !== undefined) return [];
  if (deletionTimestamp || podEnded(pod)) return [];
  const detections = listOf(pod.spec?.containers).map(spec => detect(spec, pod));
  if (detections.some(({ listed }) => listed)) return [];
  const { kind, name } = workloadOf(pod);
  const runtime = detections.find(detection => detection.runtime !== undefined)?.runtime;
  const key = JSON.stringify(['skaffold', namespace, kind, name]);
  const text = `${kind} ${name} (${namespace}) is deployed by Skaffold, not configured for debugging: ${likely(kind, runtime)}`;
  return [{ key, text, level: 'info' }];
}

function likely(kind: string, runtime: string | undefined): string {
  if (!SET_UP.has(kind)) return `"skaffold debug" does not set up pods of a ${kind}.`;
  const otherCommand = 'it was probably deployed by "skaffold dev" or "skaffold run" instead of "skaffold debug"';
  if (runtime !== undefined) return `${otherCommand}.`;
  return `${otherCommand}, or Skaffold did not recognise the runtime of the image (its warning is in the output of Skaffold).`;
}
