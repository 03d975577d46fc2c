import type { Recipe } from '../../core/contracts.ts';
import { KEEP_FOR_GOOD_MS, KEEP_MS, type KeptListener, keptReady } from './kept.ts';

/**
 * Ruby's debug.gem waits for the first words of its one client, and older versions end with the program when it leaves
 * without any (debug.gem `lib/debug/server.rb`, `greeting` and `cleanup_reader`).
 */
export const rdbgReady = ready({
  name: 'rdbg',
  keepMs: KEEP_FOR_GOOD_MS,
  whenRefused:
    'Look for "Debugger can attach via TCP/IP" in the log of the container. Without --port rdbg listens on a Unix socket only.',
  whenClosed: 'Look in the log of the container for what rdbg says, and check the port.',
});

/** gdbserver takes one client; with `--once` it does not listen again when that has gone. */
export const gdbserverReady = ready({
  name: 'gdbserver',
  keepMs: KEEP_FOR_GOOD_MS,
  whenRefused:
    'Look for "Listening on port" in the log of the container. gdbserver takes one debugger at a time: end the other session; with --once, restart the container.',
  whenClosed: 'gdbserver takes one debugger at a time: end the other session. Else look in the log of the container.',
});

/** Whatever the user's own recipe is for. */
export const ownReady = ready({
  name: 'debug server',
  keepMs: KEEP_MS,
  whenRefused: 'Look in the log of the container whether the debug server has started, and check the port.',
  whenClosed: 'Look in the log of the container for what the debug server says, and check the port.',
});

function ready(listener: KeptListener): Recipe['ready'] {
  return (forward, options) => keptReady(forward, listener, options);
}
