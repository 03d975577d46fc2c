import type { Fields, LocalAddress, PathMap } from '../core/contracts.ts';
import { pathNotKnown } from './problems.ts';

/**
 * Puts what was found out into the user's fields: `${port}` (a number where it stands alone), `${host}`, `${localRoot}`,
 * `${remoteRoot}`. All else is left to VS Code. Throws `UserError` for a path that is not known.
 */
export function filled(fields: Fields, at: LocalAddress, { local, remote }: PathMap): Fields {
  const values: Readonly<Record<string, string | number | undefined>> = {
    host: at.host,
    port: at.port,
    localRoot: local,
    remoteRoot: remote,
  };
  const valueOf = (name: string) => {
    const value = values[name];
    if (value === undefined) throw pathNotKnown(name);
    return value;
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value === '${port}') return at.port;
      return value.replace(/\$\{(host|port|localRoot|remoteRoot)\}/g, (_, name: string) => String(valueOf(name)));
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [String(fill(key)), fill(inner)]));
  };
  return fill(fields) as Fields;
}
