import type { Forward, Ready, ReadyOptions } from '../../core/contracts.ts';
import { NotYet, onConnection, untilReady } from './attempts.ts';
import { getText } from './inspectorHttp.ts';
import { launcherOf, pathOf } from './launchers.ts';
import { launcherOwnsPort, type Listener, noTarget, wrongProtocol } from './problems.ts';

const listener: Listener = {
  name: 'Node inspector',
  whenRefused: 'Look for "Debugger listening on" in the log of the container, and whether it names this port.',
  whenClosed: 'Look in the log of the container for what the program says, and check the port.',
};

/** A package manager may be at work before the program (`npm run build && node …`); after so many looks it stays. */
const LAUNCHER_TRIES = 6;

interface Target {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly url?: unknown;
}

/** Asks the inspector for its targets (Node `src/inspector_socket_server.cc`), each time on a connection of its own. */
export const inspectorReady = (forward: Forward, options: ReadyOptions): Promise<Ready> =>
  untilReady(options, () =>
    onConnection(forward, options.signal, listener, async connection => {
      const targets = targetsIn(await getText(connection, '/json/list', listener, options.signal));
      connection.destroy();
      const programs = targets.filter(({ url }) => launcherOf(url) === undefined);
      const [program] = programs;
      if (program) return readyOf(program);
      const launcher = launcherOf(targets[0]?.url);
      if (launcher) throw new NotYet(launcherOwnsPort(launcher, String(targets[0]?.url)), LAUNCHER_TRIES);
      throw new NotYet(noTarget());
    }),
  );

function readyOf({ url, title }: Target): Ready {
  const script = pathOf(url);
  return { ...(script ? { script } : {}), ...(typeof title === 'string' && title ? { target: title } : {}) };
}

function targetsIn(body: string): readonly Target[] {
  let list: unknown;
  try {
    list = JSON.parse(body);
  } catch {
    throw wrongProtocol(listener, body);
  }
  if (!Array.isArray(list)) throw wrongProtocol(listener, body);
  return (list as unknown[]).filter(item => typeof item === 'object' && item !== null);
}
