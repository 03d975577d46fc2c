import { detect } from '../cluster/detect/detect.ts';
import { listOf } from '../cluster/pods/lists.ts';
import type { Pod, PodContainer } from '../cluster/pods/pod.ts';
import { leftOut, manifestsFrom } from './manifests.ts';
import { parse } from './options.ts';
import type { Output } from './output.ts';

/** `detect [FILE]`: what each container's set-up says about debugging it. */
export async function detectCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const { rest } = parse(args, [], 1);
  const manifests = await manifestsFrom(rest[0], signal);
  for (const sentence of leftOut(manifests)) output.say(sentence);
  for (const pod of manifests.pods) for (const container of containersOf(pod)) output.data(verdictData(pod, container));
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
