import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import {
  bits,
  integer,
  objectId,
  octets,
  plainTagged,
  sequence,
  set,
  tagged,
  text,
  time,
  yes,
  type Der,
} from './der.ts';

/** A certificate and its private key, both PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority for one run of the demo cluster; its key never leaves the process. */
export interface Authority {
  readonly certificate: string;
  /** A certificate for an API server at 127.0.0.1 and `localhost`. */
  server(): Identity;
  /** A certificate with which a user logs in; Kubernetes reads name and groups from its subject. */
  client(name: string, groups: readonly string[]): Identity;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Makes an authority with a new ECDSA key. */
export function createAuthority(): Authority {
  const keys = newKeys();
  const name = subjectOf('breakpod-demo-ca', []);
  const issue = (subject: Der, publicKey: KeyObject, extensions: readonly Der[]) =>
    certificate({ subject, publicKey, extensions, issuer: name, signer: keys.privateKey });
  const certificateSign = 0b0000_0100;
  return {
    certificate: issue(name, keys.publicKey, [
      extension('2.5.29.19', sequence(yes), true), // basic constraints: an authority
      extension('2.5.29.15', bits(Buffer.from([certificateSign]), 2), true),
    ]),
    server: () => identity(issue, subjectOf('breakpod-demo', []), [usage(SERVER_AUTH), LOOPBACK_NAMES]),
    client: (user, groups) => identity(issue, subjectOf(user, groups), [usage(CLIENT_AUTH)]),
  };
}

function identity(
  issue: (subject: Der, publicKey: KeyObject, extensions: readonly Der[]) => string,
  subject: Der,
  extensions: readonly Der[],
): Identity {
  const keys = newKeys();
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: issue(subject, keys.publicKey, extensions), key };
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The X.509 v3 certificate of RFC 5280 section 4.1, PEM. */
function certificate(of: {
  subject: Der;
  publicKey: KeyObject;
  extensions: readonly Der[];
  issuer: Der;
  signer: KeyObject;
}): string {
  const now = Date.now();
  const content = sequence(
    tagged(0, integer(2)), // version 3
    integer(0x40, ...randomBytes(15)),
    ECDSA_WITH_SHA256,
    of.issuer,
    sequence(time(new Date(now - DAY_MS)), time(new Date(now + 365 * DAY_MS))),
    of.subject,
    of.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...of.extensions)),
  );
  const signed = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, of.signer)));
  const lines = signed.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const subjectOf = (name: string, groups: readonly string[]): Der =>
  sequence(...groups.map(group => attribute('2.5.4.10', group)), attribute('2.5.4.3', name));

const attribute = (type: string, content: string): Der => set(sequence(objectId(type), text(content)));

const extension = (id: string, content: Der, critical = false): Der =>
  sequence(objectId(id), ...(critical ? [yes] : []), octets(content));

const usage = (purpose: string): Der => extension('2.5.29.37', sequence(objectId(purpose)));

const LOOPBACK_NAMES = extension(
  '2.5.29.17',
  sequence(plainTagged(2, Buffer.from('localhost')), plainTagged(7, Buffer.from([127, 0, 0, 1]))),
);
