/** The oldest Skaffold whose events are read: it says how it ends (skaffold #4384, graceful shutdown of the API). */
export const oldestVersion = '1.12.0';

/** The first Skaffold whose `--port-forward` takes modes. */
const firstWithModes = '1.22.0';

/** What `skaffold version` says of a binary. */
export type VersionVerdict = 'new enough' | 'too old' | 'no modes' | 'no release' | 'unreadable';

/**
 * Judges what `skaffold version` printed: `v2.13.2`; a build between two releases has more behind (`v2.24.0-2-g359a940c1b`)
 * and is taken for the release before it; one that was made without a version prints nothing, or what its maker likes.
 */
export function verdictOn(printed: string): VersionVerdict {
  const [, numbers, more] = /^v?(\d+\.\d+\.\d+)(.*)$/.exec(printed) ?? [];
  if (numbers === undefined) return 'unreadable';
  if (isOlder(numbers, oldestVersion)) return 'too old';
  if (isOlder(numbers, firstWithModes)) return 'no modes';
  return more ? 'no release' : 'new enough';
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map(text => text.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((number, i) => number !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
}
