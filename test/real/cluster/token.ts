import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of all service-account tokens of a cluster. */
export const ISSUER = 'https://kubernetes.default.svc';

export interface Account {
  readonly namespace: string;
  readonly name: string;
  /** The API server compares it with the living account's. */
  readonly uid: string;
}

/**
 * A service-account token of any lifetime. The API refuses to issue one for less than ten minutes; whoever holds the signing
 * key is not bound by that.
 */
export function makeToken(work: string, { namespace, name, uid }: Account, seconds: number): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: ISSUER,
    aud: [ISSUER],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now - 3600,
    nbf: now - 3600,
    exp: now + seconds,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
  };
  const body = [{ alg: 'ES256', typ: 'JWT' }, claims].map(part => base64(JSON.stringify(part))).join('.');
  const key = createPrivateKey(readFileSync(join(work, 'pki', 'sa.key')));
  const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64url');
