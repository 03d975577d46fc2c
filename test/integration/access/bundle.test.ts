import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { build } from 'esbuild';
import type * as api from '../../../src/cluster/http/api.ts';
import type * as load from '../../../src/cluster/kubeconfig/load.ts';
import type * as login from '../../../src/cluster/login/access.ts';
import { stubPlugin } from '../../../.ci/stubs.ts';
import { accessTo, authority, base64, directoryFor, recordingServer } from './support.ts';

const root = path.join(import.meta.dirname, '../../..');

test('the bundled libraries log in to a TLS server, without what was left out of them', async t => {
  const directory = directoryFor(t);
  const outfile = path.join(directory, 'access.cjs');
  const { metafile } = await build({
    stdin: {
      contents: `export { kubeApi } from './src/cluster/http/api.ts';
        export { loadKubeconfig } from './src/cluster/kubeconfig/load.ts';
        export { accessOf } from './src/cluster/login/access.ts';`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    supported: { 'dynamic-import': false },
    plugins: [stubPlugin],
    minify: true,
    metafile: true,
    outfile,
    logLevel: 'silent',
  });
  const parts = Object.keys(metafile.inputs).join('\n');
  assert.doesNotMatch(
    parts,
    /node_modules\/(undici|openid-client|js-yaml|jsonpath-plus)\/|client-node\/dist\/gen\/models/,
  );
  assert.ok(Object.values(metafile.outputs)[0]!.bytes < 300_000);

  const bundled = createRequire(import.meta.url)(outfile) as typeof api & typeof load & typeof login;
  const server = await recordingServer(t);
  const { certificate, key } = authority.client('carol', []);
  const user = {
    token: 'abc',
    'client-certificate-data': base64(certificate),
    'client-key-data': base64(key),
  };
  await accessTo(directory, server.url, { user }); // writes the kubeconfig
  const explicitFile = path.join(directory, 'config');
  const access = bundled.accessOf(await bundled.loadKubeconfig({ env: {}, home: directory, explicitFile }));
  (await bundled.kubeApi(access).get('/api/v1/pods', AbortSignal.timeout(20_000))).resume();
  assert.equal(server.seen[0]?.client, 'carol');
  assert.equal(server.seen[0]?.headers['authorization'], 'Bearer abc');
});
