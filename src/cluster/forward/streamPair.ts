import type { SpdySession } from '../../lib/spdy/session.ts';
import type { SpdyStream } from '../../lib/spdy/stream.ts';
import { PodError } from './session.ts';

/** The server ends the data stream before it writes the error: so long the end waits for the text. */
const ERROR_WAIT_MS = 500;
/** The server's own end of an error stream follows within a second or so. */
const ERROR_LINGER_MS = 2000;
const MOST_TEXT = 4096;

/**
 * One connection to a port of the pod: an error stream and a data stream with the same request ID (client-go
 * `tools/portforward`). The data stream is the connection; a text on the error stream destroys it with a `PodError`.
 */
export function openPair(session: SpdySession, port: number, requestId: number): SpdyStream {
  const headers = { port: String(port), requestid: String(requestId) };
  let errors!: SpdyStream;
  let data!: SpdyStream;
  session.together(() => {
    errors = session.open({ streamtype: 'error', ...headers }, { ended: true });
    data = session.open({ streamtype: 'data', ...headers });
  });
  join(data, errors);
  return data;
}

function join(data: SpdyStream, errors: SpdyStream): void {
  let text = '';
  let waiting: NodeJS.Timeout | undefined;
  data.holdEnd();
  data.on('endHeld', () => {
    waiting = setTimeout(() => data.releaseEnd(), ERROR_WAIT_MS).unref();
  });
  errors.on('data', (chunk: Buffer) => {
    if (text.length < MOST_TEXT) text += chunk.toString();
  });
  errors.on('error', () => undefined); // the data stream has the same one
  errors.on('close', () => {
    clearTimeout(waiting);
    if (text) data.destroy(new PodError(text));
    else data.releaseEnd();
  });
  data.on('close', () => {
    clearTimeout(waiting);
    if (!errors.remoteEnded) setTimeout(() => errors.destroy(), ERROR_LINGER_MS).unref();
  });
}
