import assert from 'node:assert/strict';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { suite, test } from 'node:test';
import { createAuthority } from '../../../src/demo/api/certificates.ts';
import type { ContainerStatus, Pod } from '../../../src/demo/api/objects.ts';
import { podCells, shortDuration } from '../../../src/demo/api/podTable.ts';
import { PodStore } from '../../../src/demo/api/podStore.ts';
import { messageOf, protobufFields, textOf } from '../../../src/demo/api/protobuf.ts';
import { requestInfo } from '../../../src/demo/api/requestInfo.ts';
import { isAllowed, type Attributes, type User } from '../../../src/demo/api/users.ts';

suite('certificates', () => {
  const authority = createAuthority();
  const root = new X509Certificate(authority.certificate);

  test('the authority signs itself and may sign others', () => {
    assert.ok(root.ca && root.verify(root.publicKey));
  });

  test('a server is good for the loopback names only', () => {
    const { certificate, key } = authority.server();
    const server = new X509Certificate(certificate);
    assert.ok(server.checkIssued(root) && server.verify(root.publicKey) && !server.ca);
    assert.ok(server.checkPrivateKey(createPrivateKey(key)));
    assert.equal(server.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(server.checkHost('localhost'), 'localhost');
    assert.equal(server.checkHost('example.com'), undefined);
  });

  test('a client’s subject has name and groups', () => {
    const client = new X509Certificate(authority.client('jo', ['a', 'b']).certificate);
    assert.equal(client.subject, 'O=a\nO=b\nCN=jo');
    assert.deepEqual(client.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  });
});

suite('request paths', () => {
  const rows: [string, string, object][] = [
    ['GET', '/version', { verb: 'get', path: '/version' }],
    ['GET', '/api/v1', { verb: 'get', path: '/api/v1' }],
    ['GET', '/api/v1/pods', { verb: 'list', group: '', resource: 'pods' }],
    ['GET', '/api/v1/pods?watch=true', { verb: 'watch', group: '', resource: 'pods' }],
    ['GET', '/api/v1/pods?watch=0', { verb: 'list', group: '', resource: 'pods' }],
    ['GET', '/api/v1/namespaces', { verb: 'list', group: '', resource: 'namespaces' }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', group: '', resource: 'namespaces', namespace: 'a', name: 'a' }],
    ['GET', '/api/v1/namespaces/a/pods', { verb: 'list', group: '', resource: 'pods', namespace: 'a' }],
    [
      'DELETE',
      '/api/v1/namespaces/a/pods/b',
      { verb: 'delete', group: '', resource: 'pods', namespace: 'a', name: 'b' },
    ],
    ['DELETE', '/api/v1/namespaces/a/pods', { verb: 'deletecollection', group: '', resource: 'pods', namespace: 'a' }],
    [
      'POST',
      '/api/v1/namespaces/a/pods/b/portforward',
      { verb: 'create', group: '', resource: 'pods', namespace: 'a', name: 'b', subresource: 'portforward' },
    ],
    ['GET', '/apis/apps/v1/deployments', { verb: 'list', group: 'apps', resource: 'deployments' }],
  ];
  for (const [method, path, expected] of rows)
    test(`${method} ${path}`, () => assert.deepEqual(requestInfo(method, path).attributes, expected));
});

test('rights are those of the rules, in their namespace', () => {
  const rules = [
    { verbs: ['get'], resources: ['pods'], namespace: 'a' },
    { verbs: ['*'], resources: ['pods/log'] },
  ];
  const user: User = { name: 'jo', groups: [], rules };
  const pods = (verb: string, namespace?: string, subresource?: string): Attributes => ({
    verb,
    group: '',
    resource: 'pods',
    ...(namespace ? { namespace } : {}),
    ...(subresource ? { subresource } : {}),
  });
  const rows: [Attributes, boolean][] = [
    [pods('get', 'a'), true],
    [pods('list', 'a'), false],
    [pods('get', 'b'), false],
    [pods('get'), false],
    [pods('get', 'b', 'log'), true],
    [pods('get', 'a', 'exec'), false],
    [{ verb: 'get', path: '/api' }, true],
  ];
  for (const [attributes, expected] of rows)
    assert.equal(isAllowed(user, attributes), expected, JSON.stringify(attributes));
  assert.ok(isAllowed({ ...user, groups: ['system:masters'] }, pods('delete', 'z')));
});

test('durations as kubectl prints them', () => {
  const rows: [number, string][] = [
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [303, '5m3s'],
    [601, '10m'],
    [3 * 3600 + 60, '3h1m'],
    [9 * 3600 + 60, '9h'],
    [50 * 3600, '2d2h'],
    [9 * 86_400, '9d'],
  ];
  for (const [seconds, expected] of rows) assert.equal(shortDuration(seconds), expected);
});

suite('the STATUS column', () => {
  const startedAt = new Date().toISOString();
  const status = (state: ContainerStatus['state'], ready = false): ContainerStatus => ({
    name: 'c',
    state,
    lastState: {},
    ready,
    restartCount: 0,
    image: '',
    imageID: '',
    started: ready,
  });
  const terminated = (exitCode: number, reason: string) => ({
    terminated: { exitCode, reason, startedAt, finishedAt: startedAt, containerID: '' },
  });
  const rows: [string, Partial<Pod['status']>, string][] = [
    ['new', { phase: 'Pending' }, 'Pending'],
    [
      'waiting',
      { phase: 'Pending', containerStatuses: [status({ waiting: { reason: 'ContainerCreating' } })] },
      'ContainerCreating',
    ],
    ['running', { phase: 'Running', containerStatuses: [status({ running: { startedAt } }, true)] }, 'Running'],
    ['failed', { phase: 'Running', containerStatuses: [status(terminated(1, 'Error'))] }, 'Error'],
    ['without a reason', { phase: 'Running', containerStatuses: [status(terminated(2, ''))] }, 'ExitCode:2'],
    [
      'one done, one at work',
      {
        phase: 'Running',
        containerStatuses: [status(terminated(0, 'Completed')), status({ running: { startedAt } }, true)],
      },
      'Running',
    ],
    ['evicted', { phase: 'Failed', reason: 'Evicted' }, 'Evicted'],
  ];
  for (const [name, given, expected] of rows)
    test(name, () => {
      const pod = podNamed('a');
      Object.assign(pod.status, given);
      assert.equal(podCells(pod)[2], expected);
    });

  test('terminating', () => {
    const pod = podNamed('a');
    pod.metadata.deletionTimestamp = startedAt;
    assert.equal(podCells(pod)[2], 'Terminating');
  });
});

suite('the store', () => {
  test('counts every write, and keeps what a pod was', () => {
    const store = new PodStore(10);
    const types: string[] = [];
    store.onDidChange(({ type, now, before }) => types.push(`${type} ${before?.version ?? '-'} ${now.version}`));
    store.create(podNamed('a'));
    store.update('n', 'a', draft => (draft.status.phase = 'Running'));
    store.update('n', 'a', draft => (draft.status.phase = 'Running'));
    store.delete('n', 'a');
    assert.deepEqual(types, ['ADDED - 11', 'MODIFIED 11 12', 'DELETED 12 13']);
    assert.equal(store.delete('n', 'a'), undefined);
    assert.throws(() => [store.create(podNamed('b')), store.create(podNamed('b'))], /pods "b" already exists/);
  });

  test('tells what it has forgotten from what never was', () => {
    const store = new PodStore(10);
    store.create(podNamed('a'));
    store.compact();
    store.create(podNamed('b'));
    assert.equal(store.since(10), undefined);
    assert.deepEqual(
      store.since(11)?.map(({ now }) => now.version),
      [12],
    );
    assert.deepEqual(store.since(12), []);
  });
});

test('protobuf: texts by field number, and what is broken is refused', () => {
  const message = (field: number, content: Buffer) =>
    Buffer.concat([Buffer.from([(field << 3) | 2, content.length]), content]);
  const number = Buffer.from([0x18, 0x96, 0x01]); // field 3 is 150
  const inner = Buffer.concat([message(1, Buffer.from('shop')), number, message(2, Buffer.from('create'))]);
  const body = Buffer.concat([Buffer.from('k8s\0'), message(1, Buffer.alloc(0)), message(2, inner)]);
  const fields = protobufFields(messageOf(body));
  assert.deepEqual([textOf(fields.get(1)), textOf(fields.get(2)), fields.has(3)], ['shop', 'create', false]);
  for (const broken of [[0x0a], [0x0d, 1, 2, 3, 4], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]])
    assert.throws(() => protobufFields(Buffer.from(broken)), { code: 415 });
});

function podNamed(name: string): Pod {
  return {
    metadata: { namespace: 'n', name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always', terminationGracePeriodSeconds: 1 },
    status: { phase: 'Pending' },
  };
}
