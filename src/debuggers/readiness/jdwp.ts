import type { Forward, Ready, ReadyOptions } from '../../core/contracts.ts';
import type { Connection } from '../../lib/connection.ts';
import { within } from '../../lib/deadline.ts';
import { onConnection, untilReady } from './attempts.ts';
import { keepMsFor } from './kept.ts';
import { type Listener, wrongProtocol } from './problems.ts';
import { readExpected } from './stream.ts';

/** Both sides say it first (JDWP specification, "JDWP Start Up"). */
const HANDSHAKE = Buffer.from('JDWP-Handshake', 'latin1');

/** How long a local client may take for its handshake. */
const CLIENT_MS = 10_000;

const listener: Listener = {
  name: 'JVM debug agent (JDWP)',
  whenRefused:
    'A JVM serves one debugger at a time and refuses others meanwhile: end the other session. Else look for "Listening for transport dt_socket" in the log of the container.',
  whenClosed: 'Look in the log of the container for what the JVM says about the handshake, and check the port.',
};

/**
 * Shakes hands with the JVM and keeps the connection for the debugger, which shakes hands with us. The JVM sees one
 * client, once: a handshake that ends again would count as a debugger that came and went, and start a program that waits
 * with `suspend=y` (OpenJDK `libjdwp`).
 */
export const jdwpReady = (forward: Forward, options: ReadyOptions): Promise<Ready> =>
  untilReady(options, () =>
    onConnection(forward, options.signal, listener, async connection => {
      connection.write(HANDSHAKE);
      const seen = await readExpected(connection, HANDSHAKE, options.signal);
      if (!seen.equals(HANDSHAKE)) throw wrongProtocol(listener, seen.toString('utf8'));
      forward.handOver(connection, { greet, keepMs: keepMsFor(options) });
      return {};
    }),
  );

/** Answers the debugger's handshake in the JVM's place. */
const greet = (client: Connection): Promise<void> =>
  within(CLIENT_MS, undefined, async signal => {
    const seen = await readExpected(client, HANDSHAKE, signal);
    if (!seen.equals(HANDSHAKE)) throw new Error('the local client is no Java debugger: it sent no JDWP handshake');
    client.write(HANDSHAKE);
  });
