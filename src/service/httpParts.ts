import type { IncomingMessage } from 'node:http';
import { codes } from '../proto/codes.ts';
import { Refused } from './problems.ts';

const MOST_BODY_BYTES = 64 << 10;

/** The status of HTTP for one of gRPC (grpc-gateway: runtime/errors.go). */
const httpStatuses: ReadonlyMap<number, number> = new Map([
  [1, 499],
  [3, 400],
  [4, 504],
  [5, 404],
  [6, 409],
  [7, 403],
  [8, 429],
  [9, 400],
  [10, 409],
  [11, 400],
  [12, 501],
  [14, 503],
  [16, 401],
]);

export const httpStatusOf = (code: number): number => httpStatuses.get(code) ?? 500;

/** The body of a request; undefined when there is none. Throws `Refused` for one that is too long or no JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_BODY_BYTES)
      throw new Refused(codes.RESOURCE_EXHAUSTED, `A body has ${MOST_BODY_BYTES} bytes at most.`);
    pieces.push(piece);
  }
  if (length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    throw new Refused(codes.INVALID_ARGUMENT, `The body is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
