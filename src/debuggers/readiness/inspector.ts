import { ClientRequest } from 'node:http';
import type { Forward, Ready } from '../../core/contracts.ts';
import type { Connection } from '../../lib/connection.ts';
import { NotYet, onConnection, untilReady } from './attempts.ts';
import { launcherOf, pathOf } from './launchers.ts';
import { launcherOwnsPort, type Listener, noTarget, wrongProtocol } from './problems.ts';
import { textUpTo } from '../../lib/textUpTo.ts';

const listener: Listener = {
  name: 'Node inspector',
  whenRefused: 'Look for "Debugger listening on" in the log of the container, and whether it names this port.',
  whenClosed: 'Look in the log of the container for what the program says, and check the port.',
};

/** A package manager may be at work before the program (`npm run build && node …`); after so many looks it stays. */
const LAUNCHER_TRIES = 6;
const MOST_BODY = 1 << 20;

interface Target {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly url?: unknown;
}

/** Asks the inspector for its targets (Node `src/inspector_socket_server.cc`), each time on a connection of its own. */
export const inspectorReady = (forward: Forward, signal: AbortSignal): Promise<Ready> =>
  untilReady(signal, () =>
    onConnection(forward, signal, listener, async connection => {
      const targets = targetsIn(await getList(connection, signal));
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

/**
 * One GET over an open connection. `ClientRequest` and not `http.request`, which VS Code replaces by one that goes
 * through its proxy settings and makes connections of its own.
 */
function getList(connection: Connection, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new ClientRequest({
      createConnection: () => connection,
      path: '/json/list',
      // The inspector accepts an IP address or localhost only, against DNS rebinding.
      headers: { host: '127.0.0.1', connection: 'close' },
      signal,
    });
    request.on('error', error => reject(isNoHttp(error) ? wrongProtocol(listener, firstBytes(error)) : error));
    request.on('response', response => {
      if (response.statusCode !== 200) {
        response.destroy();
        return reject(wrongProtocol(listener, `HTTP ${response.statusCode} ${response.statusMessage}`));
      }
      textUpTo(response, MOST_BODY).then(resolve, reject);
    });
    request.end();
  });
}

interface ParseError extends Error {
  readonly rawPacket?: Buffer;
}

const isNoHttp = (error: Error) => 'code' in error && String(error.code).startsWith('HPE_');
const firstBytes = ({ rawPacket, message }: ParseError) => rawPacket?.toString('utf8') ?? message;
