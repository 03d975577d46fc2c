import { createAuthority } from '../../../../src/demo/api/certificates.ts';

/** A server's key and certificate, and the CA that clients trust; PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

/** A certificate for 127.0.0.1. */
export function makeCertificate(): Certificate {
  const authority = createAuthority();
  const { key, certificate } = authority.server();
  return { key, cert: certificate, ca: authority.certificate };
}
