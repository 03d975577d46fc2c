import type { Loopback } from './loopback.ts';

/** One protocol of the service, listening. Calls that are open go on when no more are accepted. */
export interface ProtocolServer extends Loopback {
  /** Ends what is left, at once. */
  destroy(): void;
}
