import type { Connection } from '../../lib/connection.ts';
import { bytesArrive } from './stream.ts';

const MOST_HEADER = 1 << 12;
const MOST_BODY = 1 << 20;

/** What came is no message of the Debug Adapter Protocol. */
export class NoDap extends Error {
  override readonly name = 'NoDap';
  /** How it begins. */
  readonly seen: string;

  constructor(seen: Buffer) {
    super('this is no message of the Debug Adapter Protocol');
    this.seen = seen.toString('utf8', 0, 200);
  }
}

/** A message of the Debug Adapter Protocol, as far as a probe reads it. */
export interface DapMessage {
  readonly type?: unknown;
  readonly command?: unknown;
  readonly arguments?: unknown;
  readonly seq?: unknown;
  readonly request_seq?: unknown;
  readonly success?: unknown;
  readonly message?: unknown;
  readonly event?: unknown;
  readonly body?: unknown;
}

/** A message as it goes over the wire (Debug Adapter Protocol, "Base Protocol"). */
export function framed(message: DapMessage): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Reads one message; what comes behind it stays in the connection. Throws `NoDap`, and as `bytesArrive`. */
export async function readMessage(connection: Connection, signal: AbortSignal): Promise<DapMessage> {
  let seen = Buffer.alloc(0);
  for (;;) {
    const length = lengthOf(seen);
    if (length !== undefined && seen.length >= length) {
      if (seen.length > length) connection.unshift(seen.subarray(length));
      return parsed(seen.subarray(seen.indexOf(END_OF_HEADER) + END_OF_HEADER.length, length));
    }
    await bytesArrive(connection, signal);
    const chunk = connection.read() as Buffer | null;
    if (chunk) seen = Buffer.concat([seen, chunk]);
  }
}

const BEGIN = 'Content-Length: ';
const END_OF_HEADER = '\r\n\r\n';

/** Length of the first message with its header, once the header is there. */
function lengthOf(seen: Buffer): number | undefined {
  const begin = seen.toString('latin1', 0, BEGIN.length);
  const end = seen.indexOf(END_OF_HEADER);
  if (!BEGIN.startsWith(begin) || (end < 0 && seen.length > MOST_HEADER)) throw new NoDap(seen);
  if (end < 0) return undefined;
  const body = Number(seen.toString('latin1', BEGIN.length, end).split('\r\n', 1)[0]);
  if (!Number.isInteger(body) || body > MOST_BODY) throw new NoDap(seen);
  return end + END_OF_HEADER.length + body;
}

function parsed(body: Buffer): DapMessage {
  try {
    const message = JSON.parse(body.toString('utf8')) as unknown;
    if (typeof message === 'object' && message !== null) return message;
  } catch {
    // told below
  }
  throw new NoDap(body);
}
