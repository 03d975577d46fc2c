import { abortable } from '../lib/abortable.ts';
import type { Connection } from '../lib/connection.ts';
import { LineSplitter, utf8Of } from '../lib/lines.ts';
import { PeerClosed } from './readiness/stream.ts';

/** Calls a method of dlv and gives its result. Throws what the connection throws, and what dlv answers. */
export type Call = (method: string, params: object) => Promise<Readonly<Record<string, unknown>>>;

/** What answers is not dlv. */
export class NoDelve extends Error {
  override readonly name = 'NoDelve';
  /** How it begins. */
  readonly seen: string;

  constructor(seen: Buffer, cause: unknown) {
    super('this is not dlv', { cause });
    this.seen = seen.toString('utf8', 0, 200);
  }
}

/** Calls methods of dlv's JSON-RPC server, version 2 of its API (Delve `service/rpccommon`). */
export function delveCalls(connection: Connection, signal: AbortSignal): Call {
  const waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  const lines = new LineSplitter();
  const take = (line: string) => {
    const { id, result, error } = JSON.parse(utf8Of(line)) as { id: number; result: never; error: unknown };
    if (error) waiting.get(id)?.reject(new Error(`dlv: ${JSON.stringify(error)}`));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  };
  connection.on('data', (chunk: Buffer) => {
    try {
      lines.push(chunk).forEach(take);
    } catch (error) {
      connection.destroy(new NoDelve(chunk, error));
    }
  });
  connection.on('close', () => {
    const gone = connection.errored ?? new PeerClosed();
    for (const { reject } of waiting.values()) reject(gone);
  });
  let last = 0;
  return (method, params) => {
    const id = ++last;
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      connection.write(`${JSON.stringify({ id, method: `RPCServer.${method}`, params: [params] })}\n`);
    });
    return abortable(answer, signal);
  };
}
