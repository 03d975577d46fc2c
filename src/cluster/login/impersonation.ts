import type { UserEntry } from '../kubeconfig/entries.ts';

/**
 * The headers that ask to act as another user, but for its name: that one client-node sends
 * (client-go `transport/round_trippers.go`, impersonatingRoundTripper).
 */
export function impersonationHeaders({ asUid, asGroups, asUserExtra }: UserEntry): Record<string, string | string[]> {
  const extra = Object.entries(asUserExtra).filter(([, values]) => values.length > 0);
  return {
    ...(asUid ? { 'Impersonate-Uid': asUid } : {}),
    ...(asGroups.length > 0 ? { 'Impersonate-Group': [...asGroups] } : {}),
    ...Object.fromEntries(extra.map(([key, values]) => [`Impersonate-Extra-${escapeKey(key)}`, [...values]])),
  };
}

/** Whether anything but the name is asked for, which the server refuses without the name. */
export const lacksImpersonatedName = (user: UserEntry): boolean =>
  !user.as && Object.keys(impersonationHeaders(user)).length > 0;

/** What may not stand in a header's name is percent-encoded, byte by byte. */
const escapeKey = (key: string) =>
  key.replace(/[^A-Za-z0-9!#$&'*+.^_`|~-]/gu, character =>
    [...Buffer.from(character)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
