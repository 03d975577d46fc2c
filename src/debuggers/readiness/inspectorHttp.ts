import { ClientRequest } from 'node:http';
import type { Connection } from '../../lib/connection.ts';
import { textUpTo } from '../../lib/textUpTo.ts';
import { type Listener, wrongProtocol } from './problems.ts';

const MOST_BODY = 1 << 20;

/**
 * One GET over an open connection. `ClientRequest` and not `http.request`, which VS Code replaces by one that goes
 * through its proxy settings and makes connections of its own.
 */
export function getText(
  connection: Connection,
  path: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new ClientRequest({
      createConnection: () => connection,
      path,
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
