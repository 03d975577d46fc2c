import type { PodRef } from '../../core/contracts.ts';
import { UserError } from '../../core/errors.ts';
import { ApiError } from '../access.ts';
import { toUserError } from '../http/problems.ts';
import { DialError } from './refusal.ts';
import type { DialTarget } from './request.ts';
import type { Transport } from './session.ts';

const nameOf = ({ namespace, pod }: PodRef) => `${namespace}/${pod}`;

/** A right on `pods/portforward` is missing. */
export const forwardForbidden = (pod: PodRef, verb: string, cause: unknown): UserError =>
  new UserError(
    'forward-forbidden',
    `Forwarding to ${nameOf(pod)} is not allowed: the right "${verb}" on pods/portforward in the namespace ` +
      `"${pod.namespace}" is missing.`,
    {
      cause,
      remedy:
        `Ask for a role with the rule { apiGroups: [""], resources: ["pods/portforward"], verbs: ["${verb}"] } ` +
        'in that namespace.',
    },
  );

/** There is no such pod, or none any more. */
export const podGone = (pod: PodRef, cause?: unknown): UserError =>
  new UserError('pod-gone', `The pod ${nameOf(pod)} is gone.`, {
    cause,
    remedy: 'Choose the pod that replaced it; a forward follows by itself when its workload makes a new one.',
  });

/** Every transport failed; something between here and the API server may be in the way. */
export const noTransport = (pod: PodRef, reasons: readonly string[]): UserError =>
  new UserError('forward-impossible', `No way to forward to ${nameOf(pod)} works.`, {
    cause: reasons.join('; '),
    remedy:
      'Something between here and the API server seems to refuse upgraded connections (a proxy, a gateway): ' +
      'use an address of the API server that goes around it, or "kubectl port-forward" from a machine near the cluster.',
  });

export const noLocalPort = (cause: unknown): UserError =>
  new UserError('no-local-port', 'No local port can be opened on 127.0.0.1.', {
    cause,
    remedy: 'Check the firewall or security software of this machine.',
  });

export const tooManyConnections = (localPort: number, most: number): UserError =>
  new UserError('too-many-connections', `Port ${localPort} has ${most} connections open; one more was refused.`, {
    remedy: 'Close some of them: a program may be connecting again and again.',
  });

/** Makes a sentence of what the API server itself said, or why it cannot be reached; other errors stay as they are. */
export function explain({ access, pod }: DialTarget, transport: Transport, error: unknown): unknown {
  if (!(error instanceof DialError && error.final)) return error;
  if (error.status === undefined) return toUserError(error.cause, access);
  if (error.status === 401) return toUserError(new ApiError(401, error.message), access);
  if (error.status === 403) return forwardForbidden(pod, missingVerb(transport, error.message), error);
  return podGone(pod, error);
}

/**
 * The server names the verb. It gives no reason to those who have only `get`: since Kubernetes 1.35 a WebSocket needs
 * `create` too (kubernetes `pkg/registry/core/pod/rest/subresources.go`).
 */
const missingVerb = (transport: Transport, words: string): string =>
  /cannot (\w+) resource/.exec(words)?.[1] ?? (transport === 'spdy' || !/cannot/.test(words) ? 'create' : 'get');
