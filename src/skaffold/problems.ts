import { UserError } from '../core/errors.ts';
import { codes } from '../proto/codes.ts';
import type { StreamEnd } from './client.ts';

/** The server does not have the call. */
export const isUnimplemented = ({ code }: StreamEnd): boolean => code === codes.UNIMPLEMENTED;

/** A stream that was ended because another one had is no cause. */
const wordsOf = (ends: readonly StreamEnd[]): string => {
  const broken = ends.filter(({ code }) => code !== codes.CANCELLED && code !== codes.UNIMPLEMENTED);
  return [...new Set((broken.length > 0 ? broken : ends).map(({ code, details }) => `${code} ${details}`.trim()))].join(
    '; ',
  );
};

/** Nobody listens at the port. */
export const noSkaffold = (port: number): UserError =>
  new UserError('skaffold-absent', `No Skaffold answers at port ${port}.`, {
    remedy: `Start it with \`skaffold debug --rpc-port ${port}\`, or use the port that it was started with.`,
  });

/** Somebody else listens there; Skaffold's own other port speaks HTTP/1. */
const otherAt = (port: number, cause: string): UserError =>
  new UserError('skaffold-other', `What answers at port ${port} is not Skaffold.`, {
    cause,
    remedy: 'Use the port that was given to Skaffold as --rpc-port (not --rpc-http-port).',
  });

/** It listens, and speaks no gRPC. */
export const noGrpc = (port: number, withinMs: number): UserError =>
  otherAt(port, `it does not speak gRPC, or not within ${withinMs} ms`);

/** It speaks gRPC, and has neither of the services. */
export const otherServices = (port: number, ends: readonly StreamEnd[]): UserError => otherAt(port, wordsOf(ends));

/** The streams broke while Skaffold may still run. */
export const lostSkaffold = (port: number, ends: readonly StreamEnd[]): UserError =>
  new UserError('skaffold-lost', `The connection to Skaffold at port ${port} broke.`, { cause: wordsOf(ends) });
