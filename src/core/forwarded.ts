import type { LogDraft } from './logRecord.ts';
import type { Forwarded, SourceName } from './model.ts';

/** The source that forwards of ours are logged under. */
const source: SourceName = 'forward';

/** Fields and line of a port event as Skaffold's (proto/v1/skaffold.proto `PortEvent`); the target is a number, type 0. */
export const portBody = ({ localPort, remotePort, namespace, pod, container }: Forwarded) => ({
  localPort,
  remotePort,
  podName: pod,
  containerName: container,
  namespace,
  portName: '',
  resourceType: 'pod',
  resourceName: pod,
  address: '127.0.0.1',
  targetPort: { type: 0, intVal: remotePort, strVal: '' },
});

export const forwardedDraft = (forwarded: Forwarded): LogDraft => ({
  kind: 'portEvent',
  source,
  level: 'info',
  body: portBody(forwarded),
  entry: `Forwarding container ${forwarded.container} to local port ${forwarded.localPort}`,
});
