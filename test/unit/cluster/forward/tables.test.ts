import assert from 'node:assert/strict';
import test from 'node:test';
import type { Access } from '../../../../src/cluster/access.ts';
import { portChoices } from '../../../../src/cluster/forward/localPort.ts';
import { explain } from '../../../../src/cluster/forward/problems.ts';
import { DialError } from '../../../../src/cluster/forward/refusal.ts';
import { podPath } from '../../../../src/cluster/forward/request.ts';
import type { Transport } from '../../../../src/cluster/forward/session.ts';
import { UserError } from '../../../../src/core/errors.ts';

const pod = { cluster: 'c', namespace: 'shop', pod: 'web', podUid: 'u' };
const access = { context: 'dev', server: new URL('https://k8s:6443') } as Access;

const choices: [name: string, wishes: (number | undefined)[], want: number[]][] = [
  ['the remote number', [undefined, undefined, 5005], [5005, 0]],
  ['remembered goes before it', [undefined, 41_234, 5005], [41_234, 5005, 0]],
  ['a wish goes first', [7000, 41_234, 5005], [7000, 41_234, 5005, 0]],
  ['each once', [undefined, 5005, 5005], [5005, 0]],
  ['no privileged one', [undefined, undefined, 80], [0]],
];
for (const [name, wishes, want] of choices) test(`port: ${name}`, () => assert.deepEqual(portChoices(...wishes), want));

const paths: [server: string, query: string, want: string][] = [
  ['https://h:6443', '', '/api/v1/namespaces/shop/pods/web/portforward'],
  ['https://h:6443/', '', '/api/v1/namespaces/shop/pods/web/portforward'],
  ['https://h/k8s/clusters/c-1/', '?ports=1', '/k8s/clusters/c-1/api/v1/namespaces/shop/pods/web/portforward?ports=1'],
];
for (const [server, query, want] of paths)
  test(`path: ${server}`, () => assert.equal(podPath(new URL(server), pod, 'portforward', query), want));

const cannot = (verb: string) => `pods "web" is forbidden: User "dev" cannot ${verb} resource "pods/portforward" in …`;
const rights: [transport: Transport, words: string, verb: string][] = [
  ['spdy', cannot('create'), 'create'],
  ['tunnel', cannot('get'), 'get'],
  ['tunnel', 'pods "web" is forbidden: ', 'create'],
  ['v4', 'pods "web" is forbidden: ', 'create'],
  ['spdy', 'nothing that we know', 'create'],
];
for (const [transport, words, verb] of rights)
  test(`right: ${transport}: ${words}`, () => {
    const error = explain({ access, pod, dialMs: 1 }, transport, new DialError(words, { status: 403, final: true }));
    assert.ok(error instanceof UserError);
    assert.match(
      error.message,
      new RegExp(`the right "${verb}" on pods/portforward in the namespace "shop" is missing`),
    );
    assert.match(error.remedy ?? '', new RegExp(`verbs: \\["${verb}"\\]`));
  });

test('what is not final is not explained', () => {
  const error = new DialError('HTTP 403 a page', { status: 403 });
  assert.equal(explain({ access, pod, dialMs: 1 }, 'spdy', error), error);
});
