import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ForwardPod } from './pod.ts';

/** What an HTTP server's `upgrade` event brings, and the pod that the path names. */
export interface PortForwardRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly pod: ForwardPod;
}

/**
 * Answers an upgrade of `/api/v1/namespaces/{ns}/pods/{pod}/portforward` in all three ways of a real API server: POST or
 * GET with `Upgrade: SPDY/3.1`, a WebSocket that carries SPDY, and `v4.channel.k8s.io`. The caller has authenticated,
 * authorized (a WebSocket needs `get` and `create` on `pods/portforward`, SPDY `create`) and found the pod.
 */
export function handlePortForward(_request: PortForwardRequest): void {
  throw new Error('not yet');
}
