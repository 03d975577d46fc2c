import type { Connection } from '../../lib/connection.ts';

/** The peer ended the connection without saying why. */
export class PeerClosed extends Error {
  override readonly name = 'PeerClosed';

  constructor() {
    super('the peer closed the connection');
  }
}

/**
 * Waits until bytes have come, which stay in the connection; false when none came within `quietMs`. Throws the
 * connection's error, `PeerClosed`, or the reason of `signal`.
 */
export function bytesArrive(connection: Connection, signal: AbortSignal, quietMs?: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = quietMs === undefined ? undefined : setTimeout(() => settle(() => resolve(false)), quietMs);
    const readable = () => {
      if (connection.readableLength > 0) settle(() => resolve(true));
      else connection.read(); // at the end of the stream this makes it say so
    };
    const failed = (error: Error) => settle(() => reject(error));
    const closed = () => failed(connection.errored ?? new PeerClosed());
    const aborted = () => failed(signal.reason as Error);
    const settle = (done: () => void) => {
      clearTimeout(timer);
      connection.off('readable', readable).off('end', closed).off('close', closed).off('error', failed);
      signal.removeEventListener('abort', aborted);
      done();
    };
    if (signal.aborted) return aborted();
    if (connection.destroyed || connection.readableEnded) return closed();
    signal.addEventListener('abort', aborted, { once: true });
    connection.on('readable', readable).on('end', closed).on('close', closed).on('error', failed);
    if (connection.readableLength > 0) settle(() => resolve(true));
  });
}

/**
 * Reads as many bytes as `expected` has, as long as they are the expected ones; what comes after stays in the
 * connection. Returns what was read: something else than `expected` as soon as it differs. Throws as `bytesArrive`.
 */
export async function readExpected(connection: Connection, expected: Buffer, signal: AbortSignal): Promise<Buffer> {
  let seen: Buffer = Buffer.alloc(0);
  while (seen.length < expected.length && expected.subarray(0, seen.length).equals(seen)) {
    await bytesArrive(connection, signal);
    const chunk = connection.read() as Buffer | null;
    if (chunk) seen = Buffer.concat([seen, chunk]);
  }
  const matches = seen.subarray(0, expected.length).equals(expected);
  if (matches && seen.length > expected.length) connection.unshift(seen.subarray(expected.length));
  return matches ? expected : seen;
}
