import type { State } from '../core/model.ts';
import { codes, type ControlMethod } from '../proto/codes.ts';
import { Refused } from './problems.ts';

/** The Skaffolds that are read, by their RPC ports. */
export interface Skaffolds {
  /** Throws an error with the `code` and `details` that Skaffold has answered. */
  call(port: number, method: ControlMethod, request: object): Promise<void>;
  /** What it says of itself; fields as in JSON. Throws when it does not answer. */
  state(port: number): Promise<Readonly<Record<string, unknown>>>;
}

/** Header of HTTP, and metadata of gRPC, that names one of several Skaffolds by its RPC port. */
export const skaffoldHeader = 'breakpod-skaffold';

/** Ports of the Skaffolds whose events are read, or would be if they answered. */
export const sessionPorts = ({ skaffold, sources }: Pick<State, 'skaffold' | 'sources'>): readonly number[] =>
  [...skaffold].flatMap(([source, { about, ended, isRelay }]) =>
    about && !ended && !isRelay && (sources.get(source)?.kind ?? 'stopped') !== 'stopped' ? [about.port] : [],
  );

/** The Skaffold that a command is for: the one that is named, or the only one. Throws `Refused`. */
export function portFor(ports: readonly number[], named: string | undefined): number {
  if (named !== undefined) {
    const port = ports.find(one => String(one) === named);
    if (port !== undefined) return port;
    throw new Refused(
      codes.FAILED_PRECONDITION,
      `No Skaffold session at port ${JSON.stringify(named)}. ${known(ports)}`,
    );
  }
  const [only, ...more] = ports;
  if (only !== undefined && more.length === 0) return only;
  throw new Refused(
    codes.FAILED_PRECONDITION,
    only === undefined
      ? 'There is no Skaffold session to pass it to; Breakpod itself builds and deploys nothing.'
      : `There are several Skaffold sessions; name one in ${skaffoldHeader}. ${known(ports)}`,
  );
}

const known = (ports: readonly number[]): string =>
  ports.length === 0 ? 'There are no sessions.' : `There are sessions at ${ports.join(', ')}.`;
