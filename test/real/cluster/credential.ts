// The credential plugin of the kubeconfig `exec`: prints a token of the account `dev`.
//
//   node credential.ts <work folder> <account uid> <seconds>
//
// It notes each call in credential.log, so that a test can tell how often a client asked.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from './token.ts';

const [work = '', uid = '', seconds = '0'] = process.argv.slice(2);
const token = makeToken(work, { namespace: 'shop', name: 'dev', uid }, Number(seconds));
const expirationTimestamp = new Date(Date.now() + Number(seconds) * 1000).toISOString();

appendFileSync(join(work, 'credential.log'), `${new Date().toISOString()}\n`);
console.log(
  JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token, expirationTimestamp },
  }),
);
