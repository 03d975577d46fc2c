import { clusterId, followId, instanceId, slotId } from '../../src/core/identity.ts';
import type { Container, Detection, Phase } from '../../src/core/model.ts';

/** The cluster of containers made by `container`. */
export const testCluster = clusterId('https://127.0.0.1:6443', 'test');

const detected: Detection = {
  verdict: 'live',
  runtime: 'nodejs',
  port: 9229,
  ports: { devtools: 9229 },
  evidence: 'annotation',
  found: 'annotation debug.cloud.google.com/config',
  listed: true,
};

/** A container as the decoder would report it; every part can be set. */
export function container(
  parts: Partial<Omit<Container, 'detection'>> & { detection?: Partial<Detection> } = {},
): Container {
  const { detection, ...given } = parts;
  const namespace = given.namespace ?? 'shop';
  const name = given.container ?? 'web';
  const podUid = given.podUid ?? 'uid-1';
  const workload = given.workload ?? { kind: 'Deployment', name: 'web' };
  const at = { cluster: testCluster, namespace, container: name };
  const restarts = given.restarts ?? 0;
  const run = { podUid, restarts, containerId: given.containerId, startedAt: given.startedAt };
  return {
    cluster: testCluster,
    namespace,
    pod: 'web-7d9c-x1',
    podUid,
    container: name,
    kind: 'regular',
    workload,
    image: 'web:1',
    phase: { kind: 'running' },
    ready: true,
    restarts,
    slot: slotId(at, podUid),
    id: instanceId(at, run),
    follow: followId(at, `${workload.kind}/${workload.name}`),
    ...given,
    detection: { ...detected, ...detection },
  };
}

/** A finished phase. */
export const exited = (exitCode: number, reason = 'Error'): Phase => ({ kind: 'terminated', exitCode, reason });

/** A waiting phase. */
export const waiting = (reason: string): Phase => ({ kind: 'waiting', reason });
