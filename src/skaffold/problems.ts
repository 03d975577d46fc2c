import { UserError } from '../core/errors.ts';
import type { StreamEnd } from './client.ts';

/** gRPC's number for a call that the server does not have. */
const UNIMPLEMENTED = 12;

export const isUnimplemented = ({ code }: StreamEnd): boolean => code === UNIMPLEMENTED;

/** That of a stream which was ended because another one had. */
const CANCELLED = 1;

const wordsOf = (ends: readonly StreamEnd[]): string => {
  const broken = ends.filter(({ code }) => code !== CANCELLED && code !== UNIMPLEMENTED);
  return [...new Set((broken.length > 0 ? broken : ends).map(({ code, details }) => `${code} ${details}`.trim()))].join(
    '; ',
  );
};

/** Nobody answers at the port, or somebody who is no Skaffold. */
export const noSkaffold = (port: number, ends: readonly StreamEnd[] | undefined): UserError =>
  ends
    ? new UserError('skaffold-other', `What answers at port ${port} is not Skaffold.`, {
        cause: wordsOf(ends),
        remedy: 'Use the port that was given to Skaffold as --rpc-port (not --rpc-http-port).',
      })
    : new UserError('skaffold-absent', `No Skaffold answers at port ${port}.`, {
        remedy: `Start it with \`skaffold debug --rpc-port ${port}\`, or use the port that it was started with.`,
      });

/** The streams broke while Skaffold may still run. */
export const lostSkaffold = (port: number, ends: readonly StreamEnd[]): UserError =>
  new UserError('skaffold-lost', `The connection to Skaffold at port ${port} broke.`, { cause: wordsOf(ends) });
