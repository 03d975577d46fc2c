// Keys and certificates of one cluster.
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/** Everyone's certificate: the subject gives the user (CN) and its groups (O). */
const subjects: Readonly<Record<string, string>> = {
  'kube-apiserver': '/CN=kube-apiserver',
  'kubelet-client': '/O=system:masters/CN=kube-apiserver-kubelet-client', // the API server towards the kubelet
  kubelet: '/O=system:nodes/CN=system:node:node1',
  'kube-controller-manager': '/CN=system:kube-controller-manager',
  'kube-scheduler': '/CN=system:kube-scheduler',
  admin: '/O=system:masters/CN=admin',
};

/** Makes them in the folder, as `<name>.key` and `<name>.crt`, and the key that signs service-account tokens. */
export async function makePki(folder: string, nodeIp: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const key = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
  const days = ['-days', '3650'];

  await key('ca');
  await openssl('req', '-x509', '-new', '-key', 'ca.key', '-subj', '/CN=breakpod-test-ca', ...days, '-out', 'ca.crt');
  await writeFile(join(folder, 'extensions'), extensions(nodeIp));
  const signer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions', ...days];
  for (const [name, subject] of Object.entries(subjects)) {
    await key(name);
    await openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`);
    await openssl('x509', '-req', '-in', `${name}.csr`, ...signer, '-out', `${name}.crt`);
  }
  await makeSigningKey(folder);
}

/** 127.0.0.1 and localhost, so that a proxy on the host may stand between client and API server. */
const extensions = (nodeIp: string): string =>
  [
    'keyUsage=critical,digitalSignature,keyEncipherment',
    'extendedKeyUsage=serverAuth,clientAuth',
    `subjectAltName=DNS:localhost,DNS:node1,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.96.0.1,IP:${nodeIp}`,
  ].join('\n');

async function makeSigningKey(folder: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(join(folder, 'sa.key'), privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  await writeFile(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
}
