import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a kubeconfig for a server of one run, with a token that such servers do not look at or know as good; returns its path. */
export function writeKubeconfig(server: string, authority: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'config');
  const ca = Buffer.from(authority).toString('base64');
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'bench', cluster: { server, 'certificate-authority-data': ca } }],
      users: [{ name: 'bench', user: { token: 'good' } }],
      contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench', namespace: 'shop' } }],
      'current-context': 'bench',
    }),
  );
  return file;
}
