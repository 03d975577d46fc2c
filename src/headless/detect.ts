import { detect } from '../cluster/detect/detect.ts';
import { listOf } from '../cluster/pods/lists.ts';
import type { Pod, PodContainer } from '../cluster/pods/pod.ts';
import { podsFrom } from './manifests.ts';
import { parse } from './options.ts';
import type { Output } from './output.ts';

/** `detect [FILE]`: what each container's set-up says about debugging it. */
export async function detectCommand(args: readonly string[], output: Output): Promise<void> {
  const { rest } = parse(args, [], 1);
  for (const pod of await podsFrom(rest[0]))
    for (const container of containersOf(pod)) output.data(verdictData(pod, container));
}

const containersOf = ({ spec }: Pod): readonly PodContainer[] => [
  ...listOf(spec?.containers),
  ...listOf(spec?.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ...listOf(spec?.ephemeralContainers),
];

function verdictData(pod: Pod, container: PodContainer): Record<string, unknown> {
  const { verdict, runtime, port, ports, evidence, found, reason } = detect(container, pod);
  return {
    namespace: pod.metadata?.namespace ?? null,
    pod: pod.metadata?.name ?? null,
    container: container.name ?? null,
    runtime: runtime ?? null,
    port: port ?? null,
    ports,
    verdict,
    evidence,
    found,
    reason: reason ?? null,
  };
}
