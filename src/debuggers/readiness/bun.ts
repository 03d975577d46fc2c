import type { Forward, Ready, ReadyOptions } from '../../core/contracts.ts';
import { onConnection, untilReady } from './attempts.ts';
import { getText } from './inspectorHttp.ts';
import { type Listener, wrongProtocol } from './problems.ts';

const listener: Listener = {
  name: 'Bun inspector',
  whenRefused: 'Look for "Bun Inspector" in the log of the container, and whether it names this port.',
  whenClosed: 'Look in the log of the container for what the program says, and check the port.',
};

/** Bun tells its version and no targets (Bun `src/js/internal/debugger.ts`). */
export const bunReady = (forward: Forward, options: ReadyOptions): Promise<Ready> =>
  untilReady(options, () =>
    onConnection(forward, options.signal, listener, async connection => {
      const body = await getText(connection, '/json/version', listener, options.signal);
      connection.destroy();
      const version = versionIn(body);
      if (version === undefined) throw wrongProtocol(listener, body);
      return { target: `Bun ${version}` };
    }),
  );

function versionIn(body: string): string | undefined {
  try {
    const { Browser: browser, 'Bun-Version': version } = JSON.parse(body) as Record<string, unknown>;
    return browser === 'Bun' ? String(version) : undefined;
  } catch {
    return undefined;
  }
}
