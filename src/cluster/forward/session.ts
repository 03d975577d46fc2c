import type { Connection } from '../../lib/connection.ts';
import type { Disposable } from '../../lib/disposable.ts';
import type { Event } from '../../lib/emitter.ts';

/** The three ways to forward a port, best first. */
export const TRANSPORTS = ['spdy', 'tunnel', 'v4'] as const;

/** Raw SPDY/3.1 upgrade, SPDY inside a WebSocket, or one `v4.channel.k8s.io` WebSocket per connection. */
export type Transport = (typeof TRANSPORTS)[number];

/** A way to one pod that carries connections to its ports. */
export interface ForwardSession extends Disposable {
  readonly transport: Transport | 'direct';
  /** Whether it takes one more connection. */
  readonly usable: boolean;
  /** Whether one of its connections holds up the others. */
  readonly congested: boolean;
  /** Connections that are open. */
  readonly load: number;
  /** Counts as load from the call on. What the pod reports destroys the connection with a `PodError`. */
  connect(port: number, signal: AbortSignal): Promise<Connection>;
  /** A connection of it has ended. */
  readonly onFree: Event<void>;
  /** It ended; with an error unless it was disposed. */
  readonly onClose: Event<Error | undefined>;
}

/** What the pod's side says about a connection: the text of its error stream, raw. */
export class PodError extends Error {
  override readonly name = 'PodError';
}

/** Waits and bounds; defaults as measured on a real node. */
export interface ForwardLimits {
  /** One try of one transport, credentials included. */
  readonly dialMs: number;
  /** Between two pings. */
  readonly pingMs: number;
  /** Unanswered pings, with no other byte heard, after which a session is dead. */
  readonly deadPings: number;
  /** For how long an idle session is kept beside another idle one. */
  readonly idleMs: number;
  /** For how long v4 is used before the better transports are tried again. */
  readonly v4Ms: number;
  /** v4 has no half close: silence after the client's end, after which the WebSocket is closed. */
  readonly lingerMs: number;
  /** Below it each connection has a session of its own: browsers open six to one host, and a debugger comes on top. */
  readonly maxSessions: number;
  readonly maxConnections: number;
}

export const DEFAULT_LIMITS: ForwardLimits = {
  dialMs: 10_000,
  pingMs: 5000,
  deadPings: 5,
  idleMs: 10_000,
  v4Ms: 60_000,
  lingerMs: 1000,
  maxSessions: 8,
  maxConnections: 256,
};
