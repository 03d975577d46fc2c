import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import type { UserError } from '../../../../src/core/errors.ts';
import { mergeEntries } from '../../../../src/cluster/kubeconfig/entries.ts';
import { kubeconfigFiles } from '../../../../src/cluster/kubeconfig/files.ts';
import { contextsOf } from '../../../../src/cluster/kubeconfig/load.ts';
import { readEntries } from '../../../../src/cluster/kubeconfig/read.ts';
import { accessOf } from '../../../../src/cluster/login/access.ts';

const home = path.resolve('/home/me');
const usual = path.join(home, '.kube', 'config');
const [a, b] = [path.resolve('/a'), path.resolve('/b')];

const places: { name: string; kubeconfig?: string[]; explicitFile?: string; files: string[] }[] = [
  { name: 'nothing is set', files: [usual] },
  { name: 'KUBECONFIG is empty', kubeconfig: [''], files: [usual] },
  { name: 'one file', kubeconfig: [a], files: [a] },
  { name: 'a separator at the end', kubeconfig: [a, ''], files: [a] },
  { name: 'a separator at the start', kubeconfig: ['', a], files: [a] },
  { name: 'nothing between two', kubeconfig: [a, '', b], files: [a, b] },
  { name: 'only a separator', kubeconfig: ['', ''], files: [] },
  { name: 'the same file twice', kubeconfig: [b, a, b], files: [b, a] },
  { name: 'an explicit file', kubeconfig: [a], explicitFile: b, files: [b] },
];

for (const { name, kubeconfig, explicitFile, files } of places)
  test(`kubeconfigFiles: ${name}`, () => {
    const env = kubeconfig ? { KUBECONFIG: kubeconfig.join(path.delimiter) } : {};
    assert.deepEqual(kubeconfigFiles({ env, home, explicitFile }), files);
  });

const good = {
  clusters: [{ name: 'c', cluster: { server: 'https://c:6443' } }],
  contexts: [{ name: 'good', context: { cluster: 'c' } }],
  'current-context': 'good',
};
const accessIn = (file: Record<string, unknown>, context?: string, env = {}) =>
  accessOf({ ...mergeEntries([readEntries(file, '/')]), env }, context);

/** What else may stand in a file whose current context is fine. */
const beside: { name: string; file: Record<string, unknown> }[] = [
  { name: 'nothing', file: {} },
  { name: 'users: null', file: { users: null } },
  { name: 'users that are text', file: { users: 'none' } },
  { name: 'entries that are none', file: { users: [null, 1, 'x', [], {}], contexts: [...good.contexts, null, {}] } },
  {
    name: 'a cluster without a body',
    file: { clusters: [...good.clusters, { name: 'x' }, { name: 'y', cluster: null }] },
  },
  { name: 'a cluster without a server', file: { clusters: [...good.clusters, { name: 'x', cluster: {} }] } },
  { name: 'a doubled name', file: { clusters: [...good.clusters, { name: 'c', cluster: { server: 'https://no' } }] } },
  { name: 'an old auth-provider', file: { users: [{ name: 'u', user: { 'auth-provider': { name: 'gcp' } } }] } },
  {
    name: 'a context that leads nowhere',
    file: { contexts: [...good.contexts, { name: 'x', context: { cluster: '?' } }] },
  },
];

for (const { name, file } of beside)
  test(`H61: one context works beside ${name}`, () => {
    const access = accessIn({ ...good, ...file });
    assert.deepEqual([access.context, access.server.href, access.namespace], ['good', 'https://c:6443/', 'default']);
  });

const withUser = (user: Record<string, unknown>) => ({
  ...good,
  contexts: [{ name: 'good', context: { cluster: 'c', user: 'u' } }],
  users: [{ name: 'u', user }],
});

const unusable: { name: string; file: Record<string, unknown>; context?: string; says: RegExp }[] = [
  { name: 'no current context', file: { ...good, 'current-context': '' }, says: /^no-context .*Choose .*good/ },
  { name: 'no context at all', file: {}, says: /^no-context/ },
  { name: 'a context that is gone', file: good, context: 'gone', says: /^context-missing .*"gone"/ },
  { name: 'a cluster that is gone', file: { ...good, clusters: [] }, says: /^context-broken .*no cluster "c"/ },
  { name: 'a user that is gone', file: { ...withUser({}), users: null }, says: /^context-broken .*no user "u"/ },
  { name: 'no server', file: { ...good, clusters: [{ name: 'c' }] }, says: /^context-broken .*"c" has no server/ },
  {
    name: 'a server that is no URL',
    file: { ...good, clusters: [{ name: 'c', cluster: { server: 'ftp://x' } }] },
    says: /^context-broken .*"ftp:\/\/x"/,
  },
  {
    name: 'gcp',
    file: withUser({ 'auth-provider': { name: 'gcp' } }),
    says: /^login-outdated .*gke-gcloud-auth-plugin/,
  },
  {
    name: 'azure',
    file: withUser({ 'auth-provider': { name: 'azure' } }),
    says: /^login-outdated .*kubelogin convert/,
  },
  { name: 'oidc', file: withUser({ 'auth-provider': { name: 'oidc' } }), says: /^login-outdated .*exec/ },
  { name: 'groups without a user', file: withUser({ 'as-groups': ['g'] }), says: /^context-broken .*need "as"/ },
];

for (const { name, file, context, says } of unusable)
  test(`a context that cannot be used says why: ${name}`, () => {
    assert.throws(
      () => accessIn(file, context),
      (error: UserError) => says.test(`${error.code} ${error.message} ${error.remedy}`),
    );
  });

test('of two files the first wins, whole entries, and the second adds', () => {
  const first = { clusters: [{ name: 'c', cluster: { server: '1' } }], users: null };
  const second = {
    'current-context': 'b',
    clusters: [
      { name: 'c', cluster: { server: '2', 'tls-server-name': 'n' } },
      { name: 'd', cluster: { server: '3' } },
    ],
  };
  const merged = mergeEntries([first, second].map(file => readEntries(file, '/')));
  assert.equal(merged.currentContext, 'b');
  assert.deepEqual(
    [...merged.clusters.values()].map(({ name, server, tlsServerName }) => [name, server, tlsServerName]),
    [
      ['c', '1', undefined],
      ['d', '3', undefined],
    ],
  );
});

test('all contexts are listed, also those that cannot be used', () => {
  const file = { ...good, contexts: [{ name: 'x', context: { cluster: '?', namespace: 'n' } }, ...good.contexts] };
  assert.deepEqual(contextsOf(mergeEntries([readEntries(file, '/')])), [
    { name: 'x', cluster: '?', namespace: 'n', isCurrent: false },
    { name: 'good', cluster: 'c', namespace: 'default', server: 'https://c:6443', isCurrent: true },
  ]);
});

test('what was not quoted is taken as it is written', () => {
  const { contexts, clusters } = readEntries(
    {
      clusters: [{ name: 1, cluster: { server: 's', 'insecure-skip-tls-verify': 'yes' } }],
      contexts: [{ name: true, context: { cluster: 1, namespace: 42 } }],
    },
    '/',
  );
  assert.deepEqual(contexts.get('true'), { name: 'true', cluster: '1', namespace: '42' });
  assert.equal(clusters.get('1')?.skipTlsVerify, true);
});
