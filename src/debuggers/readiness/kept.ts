import type { Forward, Ready, ReadyOptions } from '../../core/contracts.ts';
import { onConnection, untilReady } from './attempts.ts';
import type { Listener } from './problems.ts';
import { bytesArrive } from './stream.ts';

/** How long a connection that a probe has opened waits for the debugger, in milliseconds. */
export const KEEP_MS = 60_000;
/** The longest time of a timer: the connection stays until the forward is closed. */
export const KEEP_FOR_GOOD_MS = 2 ** 31 - 1;
/** For a connection over which words have been exchanged: a program that waits would start when it is closed. */
export const keepMsFor = ({ suspended }: ReadyOptions): number => (suspended ? KEEP_FOR_GOOD_MS : KEEP_MS);

/** A pod that refuses a connection says so within this time. */
const SETTLE_MS = 1000;

/** A debugger that takes one client, or is harmed by one that comes and goes. */
export interface KeptListener extends Listener {
  readonly keepMs: number;
}

/**
 * Opens a connection without sending a byte and hands it over: the debugger's client is the first and only one that the
 * listener sees. Waits while the pod refuses; a listener that closes the connection is told.
 */
export const keptReady = (forward: Forward, listener: KeptListener, options: ReadyOptions): Promise<Ready> =>
  untilReady(options, () =>
    onConnection(forward, options.signal, listener, async connection => {
      await bytesArrive(connection, options.signal, SETTLE_MS);
      forward.handOver(connection, { keepMs: listener.keepMs });
      return {};
    }),
  );
