import type { Pod, Remark } from '../pods/pod.ts';
import { annotationProblems } from './annotation.ts';
import { skaffoldProblems } from './skaffold.ts';

/** What is odd about the set-up of a pod, for the log. */
export const remarksOn = (pod: Pod): readonly Remark[] => [...annotationProblems(pod), ...skaffoldProblems(pod)];
