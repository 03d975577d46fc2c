import type { PodTemplate } from '../kubelet/template.ts';
import type { ControllerContext } from './deployment.ts';
import { newOwner, podOf } from './podObject.ts';

/** Runs a Job's one pod; it stays when it has ended. */
export function startJob(namespace: string, name: string, template: PodTemplate, { kubelet }: ControllerContext): void {
  const owner = newOwner('batch/v1', 'Job', name);
  const labels = { 'controller-uid': owner.uid, 'batch.kubernetes.io/controller-uid': owner.uid };
  kubelet.run(podOf(template, namespace, owner, labels), template);
}
