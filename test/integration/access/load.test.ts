import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { rawText, type UserError } from '../../../src/core/errors.ts';
import { inClusterEntries } from '../../../src/cluster/kubeconfig/inCluster.ts';
import { contextsOf, loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { directoryFor } from './support.ts';

const good = `
current-context: good
clusters:
- {name: c, cluster: {server: "https://good:6443"}}
contexts:
- {name: good, context: {cluster: c, namespace: shop}}
`;

const writing = (content: string) => (file: string) => writeFileSync(file, content);

/** Each of the lists has nine times the one before it. */
const multiplied = () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const lists = names.map(
    (name, i) =>
      `${name}: &${name} [${Array(9)
        .fill(i ? `*${names[i - 1]}` : 'x')
        .join(', ')}]`,
  );
  return lists.join('\n');
};

/** Files that a person may have; they are read as `file` of a fresh directory. */
const files: { name: string; make: (file: string) => void; says: RegExp }[] = [
  { name: 'a directory', make: file => mkdirSync(file), says: /kubeconfig-broken .*file is a directory\./ },
  {
    name: 'not YAML',
    make: writing('a: [1, 2\nb: }'),
    says: /kubeconfig-broken .*file is not valid YAML\. .* at line/s,
  },
  { name: 'a list', make: writing('[]'), says: /kubeconfig-broken .*file is not a kubeconfig\./ },
  { name: 'prose', make: writing('hello'), says: /kubeconfig-broken .*file is not a kubeconfig\./ },
  { name: 'two documents', make: writing('a: 1\n---\nb: 1'), says: /kubeconfig-broken .*file is not valid YAML\./ },
  {
    name: 'aliases that multiply',
    make: writing(multiplied()),
    says: /kubeconfig-broken .*file is not valid YAML\. .*alias/i,
  },
  {
    name: 'deeper than any stack',
    make: writing(`a: ${'['.repeat(200_000)}`),
    says: /kubeconfig-broken .*file is not valid YAML\./,
  },
  {
    name: 'a link to itself',
    make: file => symlinkSync(file, file),
    says: /kubeconfig-broken .*file cannot be read\. ELOOP/,
  },
  { name: 'empty', make: writing(''), says: /^no-context .*none to choose/ },
  { name: 'missing', make: () => undefined, says: /^no-kubeconfig There is no kubeconfig\. looked for .*file/ },
];

for (const { name, make, says } of files)
  test(
    `a kubeconfig that is ${name}`,
    { skip: name === 'a link to itself' && process.platform === 'win32' },
    async t => {
      const home = directoryFor(t);
      const file = path.join(home, 'file');
      make(file);
      const loading = loadKubeconfig({ env: { KUBECONFIG: file }, home }).then(config => accessOf(config));
      const error = await loading.then(
        () => assert.fail('no error'),
        (e: UserError) => e,
      );
      assert.match(`${error.code} ${error.message} ${rawText(error.cause ?? '')} ${error.remedy}`, says);
    },
  );

test('H59: an empty or missing file beside a good one does no harm', async t => {
  const home = directoryFor(t);
  const [empty, file] = [path.join(home, 'empty'), path.join(home, 'config')];
  writeFileSync(empty, '\n');
  writeFileSync(file, good);
  const KUBECONFIG = ['', empty, path.join(home, 'gone', 'config'), file].join(path.delimiter);
  const kubeconfig = await loadKubeconfig({ env: { KUBECONFIG }, home });
  assert.deepEqual(contextsOf(kubeconfig), [
    { name: 'good', cluster: 'c', namespace: 'shop', server: 'https://good:6443', isCurrent: true },
  ]);
});

test('without KUBECONFIG the file in the home directory counts; an explicit one counts alone', async t => {
  const home = directoryFor(t);
  mkdirSync(path.join(home, '.kube'));
  writeFileSync(path.join(home, '.kube', 'config'), good);
  assert.equal((await loadKubeconfig({ env: {}, home })).currentContext, 'good');
  const explicitFile = path.join(home, 'other');
  await assert.rejects(loadKubeconfig({ env: {}, home, explicitFile }), { code: 'kubeconfig-missing' });
  writeFileSync(explicitFile, good.replaceAll('good', 'other'));
  assert.equal((await loadKubeconfig({ env: { KUBECONFIG: '/gone' }, home, explicitFile })).currentContext, 'other');
});

test('UTF-16, as PowerShell writes it, a byte order mark and anchors are read', async t => {
  const home = directoryFor(t);
  const file = path.join(home, 'config');
  const anchored =
    good.replace('cluster: {server', 'cluster: &x {server') + '- {name: b, context: {<<: &y {cluster: c}}}\n';
  for (const content of [Buffer.from(`\ufeff${anchored}`, 'utf16le'), `\ufeff${anchored}`]) {
    writeFileSync(file, content);
    const names = contextsOf(await loadKubeconfig({ env: { KUBECONFIG: file }, home })).map(
      c => `${c.name} ${c.server}`,
    );
    assert.deepEqual(names, ['good https://good:6443', 'b https://good:6443']);
  }
});

test('H60: paths are relative to the file that they stand in, per file', async t => {
  const home = directoryFor(t);
  const file = (name: string) => {
    const directory = path.join(home, name);
    mkdirSync(directory);
    const user = `{client-certificate: ./c.pem, client-key: /abs/k.pem, tokenFile: ../t, exec: {command: bin/x}}`;
    const text = `clusters: [{name: ${name}, cluster: {server: s, certificate-authority: pki/ca.crt}}]
users: [{name: ${name}, user: ${user}}, {name: ${name}2, user: {exec: {command: aws}}}]`;
    writeFileSync(path.join(directory, 'config'), text);
    return path.join(directory, 'config');
  };
  const KUBECONFIG = [file('one'), file('two')].join(path.delimiter);
  const { clusters, users } = await loadKubeconfig({ env: { KUBECONFIG }, home });
  for (const name of ['one', 'two']) {
    const user = users.get(name)!;
    assert.deepEqual(
      [clusters.get(name)!.caFile, user.certFile, user.keyFile, user.tokenFile, user.plugin!.command],
      [
        path.join(home, name, 'pki', 'ca.crt'),
        path.join(home, name, 'c.pem'),
        path.resolve('/abs/k.pem'),
        path.join(home, 't'),
        path.join(home, name, 'bin', 'x'),
      ],
    );
    assert.equal(users.get(`${name}2`)!.plugin!.command, 'aws', 'a bare name is found on PATH');
  }
});

test('inside a pod its service account is the access', async t => {
  const directory = directoryFor(t);
  writeFileSync(path.join(directory, 'token'), 'abc');
  writeFileSync(path.join(directory, 'namespace'), 'shop\n');
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const entries = await inClusterEntries(env, directory);
  const access = accessOf({ ...entries!, env });
  assert.deepEqual([access.server.href, access.namespace], ['https://[fd00::1]/', 'shop']);
  assert.equal(await inClusterEntries({}, directory), undefined);
  assert.equal(await inClusterEntries(env, path.join(directory, 'gone')), undefined);
});
