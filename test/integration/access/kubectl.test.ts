import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import {
  authority,
  base64,
  type Config,
  configOf,
  directoryFor,
  hasKubectl,
  kubectl,
  type RecordingServer,
  recordingServer,
  type Seen,
  type ServerKind,
  writeJson,
} from './support.ts';

const skip = (await hasKubectl()) ? false : 'no kubectl on PATH';

/** What the server needs to know who asks; the rest of a request is each program's own. */
const loginOf = ({ headers, client, url }: Seen) => ({
  client,
  path: url.split('?')[0],
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /^(authorization|impersonate-)/.test(name))),
});

const plugin = (script: string, rest: Record<string, unknown> = {}) => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'IfAvailable',
  command: process.execPath,
  args: ['-e', script],
  ...rest,
});

/** A plugin whose token is what it was told: both programs have to tell it the same. */
const ECHO = `const { spec, apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const token = Buffer.from(JSON.stringify([Object.entries(spec).sort(), process.env.EXTRA])).toString('hex');
console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token } }))`;

const client = authority.client('carol', ['dev']);
const pems = { clientCertificateData: client.certificate, clientKeyData: client.key };
const CERTIFICATE = `console.log(JSON.stringify({ kind: 'ExecCredential',
  apiVersion: 'client.authentication.k8s.io/v1', status: ${JSON.stringify(pems)} }))`;

const cases: {
  name: string;
  kind?: ServerKind;
  address?: (server: RecordingServer) => string;
  config: (directory: string) => Config;
}[] = [
  {
    name: 'plain http, where no secret is sent',
    kind: 'http',
    config: () => ({ user: { token: 'abc', as: 'bob', exec: plugin(ECHO) } }),
  },
  {
    name: 'token before plugin',
    config: () => ({ user: { token: 'abc', exec: plugin(ECHO) } }),
  },
  { name: 'token', config: () => ({ user: { token: 'abc' } }) },
  { name: 'user name and password', config: () => ({ user: { username: 'ann', password: 'pä:ss' } }) },
  {
    name: 'token file beside the kubeconfig',
    config: directory => {
      writeFileSync(path.join(directory, 'token.txt'), 'from-file\n');
      return { user: { tokenFile: 'token.txt' } };
    },
  },
  {
    name: 'token file before token',
    config: directory => {
      writeFileSync(path.join(directory, 'token.txt'), 'from-file\n');
      return { user: { tokenFile: 'token.txt', token: 'inline' } };
    },
  },
  {
    name: 'token in place of a token file that is missing',
    config: () => ({ user: { tokenFile: 'gone.txt', token: 'inline' } }),
  },
  {
    name: 'client certificate as data',
    config: () => ({
      user: { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) },
    }),
  },
  {
    name: 'certificates as files beside the kubeconfig',
    config: directory => {
      writeFileSync(path.join(directory, 'ca.pem'), authority.certificate);
      writeFileSync(path.join(directory, 'client.pem'), client.certificate);
      writeFileSync(path.join(directory, 'client.key'), client.key);
      return {
        cluster: { 'certificate-authority': 'ca.pem' },
        user: { 'client-certificate': './client.pem', 'client-key': 'client.key' },
      };
    },
  },
  {
    name: 'impersonation',
    config: () => ({
      user: {
        token: 'abc',
        as: 'bob',
        'as-uid': '7',
        'as-groups': ['dev', 'ops, too'],
        'as-user-extra': { scopes: ['view', 'edit'], 'acme.com/project id': ['x'] },
      },
    }),
  },
  { name: 'namespace of the context', config: () => ({ user: { token: 'abc' }, context: { namespace: 'shop' } }) },
  {
    name: 'path in the server',
    address: ({ url }) => `${url}/prefix/`,
    config: () => ({ cluster: { 'insecure-skip-tls-verify': true }, user: { token: 'a' } }),
  },
  {
    name: 'bare host, which is http',
    kind: 'http',
    address: ({ port }) => `127.0.0.1:${port}`,
    config: () => ({ cluster: { 'insecure-skip-tls-verify': true }, user: { token: 'a' } }),
  },
  {
    name: 'plugin with environment, told nothing of the cluster',
    config: () => ({ user: { exec: plugin(ECHO, { env: [{ name: 'EXTRA', value: 'e' }] }) } }),
  },
  {
    name: 'plugin that is told of the cluster',
    config: () => ({
      cluster: {
        'insecure-skip-tls-verify': true,
        extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } }],
      },
      user: { exec: plugin(ECHO, { provideClusterInfo: true }) },
    }),
  },
  { name: 'plugin that gives a client certificate', config: () => ({ user: { exec: plugin(CERTIFICATE) } }) },
  {
    name: 'plugin beside the kubeconfig',
    config: directory => {
      const script = `#!${process.execPath}\n${ECHO}\n`;
      writeFileSync(path.join(directory, 'plugin'), script, { mode: 0o755 });
      return { user: { exec: { ...plugin(''), command: './plugin', args: null } } };
    },
  },
];

for (const { name, kind, address = ({ url }: RecordingServer) => url, config } of cases)
  test(`kubectl sends the same login: ${name}`, { skip }, async t => {
    const directory = directoryFor(t);
    const server = await recordingServer(t, kind);
    const url = address(server);
    const file = writeJson(directory, 'config', configOf(url, config(directory)));
    const { stderr } = await kubectl(['get', 'pods', '--request-timeout=20s'], { KUBECONFIG: file });
    const isForPods = (seen: Seen) => seen.url.includes('/pods');
    const theirs = server.seen.find(isForPods) ?? assert.fail(`kubectl did not ask for pods: ${stderr}`);
    server.seen.length = 0;

    const env = { PATH: process.env['PATH'], KUBECONFIG: file };
    const access = accessOf(await loadKubeconfig({ env, home: directory }));
    const path = `/api/v1/namespaces/${access.namespace}/pods`;
    const response = await kubeApi(access)
      .get(path, AbortSignal.timeout(20_000))
      .catch(() => undefined);
    response?.resume();
    const ours = server.seen.find(isForPods) ?? assert.fail('nothing was asked');
    assert.deepEqual(loginOf(ours), loginOf(theirs));
  });

const server = (name: string, port: number) => ({ name, cluster: { server: `https://127.0.0.1:${port}` } });
const context = (name: string, rest: Record<string, unknown>) => ({ name, context: { user: '', ...rest } });

const merges: { name: string; files: (Record<string, unknown> | undefined)[]; list?: (files: string[]) => string[] }[] =
  [
    {
      name: 'two files with contexts of their own',
      files: [
        { 'current-context': 'a', clusters: [server('a', 1)], contexts: [context('a', { cluster: 'a' })] },
        {
          'current-context': 'b',
          clusters: [server('b', 2)],
          contexts: [context('b', { cluster: 'b', namespace: 'n' })],
        },
      ],
    },
    {
      name: 'the same names in both',
      files: [
        { 'current-context': 'a', clusters: [server('c', 1)], contexts: [context('a', { cluster: 'c' })] },
        {
          'current-context': 'b',
          clusters: [server('c', 2)],
          contexts: [context('a', { cluster: 'x', namespace: 'n' })],
        },
      ],
    },
    {
      name: 'current context only in the second',
      files: [
        { clusters: [server('a', 1)], contexts: null, users: null },
        { 'current-context': 'b', clusters: null, contexts: [context('b', { cluster: 'a' })] },
      ],
    },
    {
      name: 'current context in one file, its entries in the other',
      files: [{ 'current-context': 'b' }, { clusters: [server('a', 1)], contexts: [context('b', { cluster: 'a' })] }],
    },
    {
      name: 'empty, doubled and missing files',
      files: [{ 'current-context': 'a', clusters: [server('a', 1)], contexts: [context('a', { cluster: 'a' })] }],
      list: ([file]) => ['', file!, '', '/does/not/exist', file!, ''],
    },
  ];

for (const { name, files, list = (all: string[]) => all } of merges)
  test(`kubectl merges the same: ${name}`, { skip }, async t => {
    const directory = directoryFor(t);
    const paths = files.map((content, index) => writeJson(directory, `config${index}`, content));
    const KUBECONFIG = list(paths).join(path.delimiter);
    const { stdout, stderr } = await kubectl(['config', 'view', '--raw', '-o', 'json'], { KUBECONFIG });
    assert.ok(stdout, stderr);
    const theirs = JSON.parse(stdout) as Record<string, { name: string; cluster: object; context: object }[] | null>;
    const ours = await loadKubeconfig({ env: { KUBECONFIG }, home: directory });
    assert.equal(ours.currentContext, theirs['current-context'] || undefined);
    assert.deepEqual(
      Object.fromEntries([...ours.clusters.values()].map(c => [c.name, { server: c.server }])),
      Object.fromEntries((theirs['clusters'] ?? []).map(c => [c.name, c.cluster])),
    );
    assert.deepEqual(
      Object.fromEntries([...ours.contexts.values()].map(({ name, ...c }) => [name, { user: '', ...c }])),
      Object.fromEntries((theirs['contexts'] ?? []).map(c => [c.name, c.context])),
    );
  });
