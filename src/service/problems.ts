import { UserError } from '../core/errors.ts';
import { codes } from '../proto/codes.ts';

/** Nothing can listen at this port. */
export const portTaken = (port: number, cause: unknown): UserError =>
  new UserError('service-port-taken', `The event service cannot listen at port ${port}.`, {
    cause,
    remedy: 'Choose another port, or 0 for any that is free. Another window can have its own service there.',
  });

/** A request that is not served: a status of gRPC and its words, for the program that asked. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Anything that was thrown, as a status of gRPC. */
export function statusOf(error: unknown): { code: number; details: string } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const details = error instanceof Error ? ('details' in error ? String(error.details) : error.message) : String(error);
  return { code: typeof code === 'number' ? code : codes.INTERNAL, details };
}
