import type { Forward, Ready, ReadyOptions } from '../../core/contracts.ts';
import { type Call, delveCalls, NoDelve } from '../delveCalls.ts';
import { onConnection, untilReady } from './attempts.ts';
import { KEEP_FOR_GOOD_MS, type KeptListener, keptReady } from './kept.ts';
import { dlvTooOld, wrongProtocol } from './problems.ts';

const listener: KeptListener = {
  name: 'dlv',
  // Without --accept-multiclient dlv does not listen again when its one client has gone.
  keepMs: KEEP_FOR_GOOD_MS,
  whenRefused:
    'Look for "API server listening at" in the log of the container. Without --accept-multiclient dlv takes one debugger only: end the other session, or restart the container.',
  whenClosed:
    'dlv may refuse connections of another user: start it with --only-same-user=false and --accept-multiclient, and look in the log of the container.',
};

/** The first that speaks the Debug Adapter Protocol on the same port (Delve, CHANGELOG, 1.7.3). */
const FIRST_WITH_DAP = [1, 7, 3] as const;

/** A dlv that takes several clients is asked for its version; another one is not asked: its first client is its last. */
export const dlvReady = (forward: Forward, options: ReadyOptions): Promise<Ready> =>
  options.takesMany ? versionReady(forward, options) : keptReady(forward, listener, options);

const versionReady = (forward: Forward, options: ReadyOptions): Promise<Ready> =>
  untilReady(options, () =>
    onConnection(forward, options.signal, listener, async connection => {
      const version = await versionOf(delveCalls(connection, options.signal));
      connection.destroy();
      if (version && isTooOld(version)) throw dlvTooOld(version.join('.'));
      return version ? { target: `dlv ${version.join('.')}` } : {};
    }),
  );

/** Changes nothing in dlv or its program (Delve `service/debugger/debugger.go`, `GetVersion`). */
async function versionOf(call: Call): Promise<readonly number[] | undefined> {
  try {
    const { DelveVersion: text } = await call('GetVersion', {});
    return /(\d+)\.(\d+)\.(\d+)/.exec(String(text))?.slice(1).map(Number);
  } catch (error) {
    if (error instanceof NoDelve) throw wrongProtocol(listener, error.seen);
    throw error;
  }
}

function isTooOld(version: readonly number[]): boolean {
  const at = FIRST_WITH_DAP.findIndex((part, index) => part !== version[index]);
  return at >= 0 && version[at]! < FIRST_WITH_DAP[at]!;
}
