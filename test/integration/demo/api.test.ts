import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Demo } from '../../../src/demo/demo.ts';
import { afterSuite, ask, demoFor, loginOf, plainPod, send } from './support.ts';

suite('API server of the demo cluster', () => {
  const cleanUp = afterSuite();
  let demo: Demo;
  let admin: Awaited<ReturnType<typeof loginOf>>;
  let viewer: typeof admin;
  let shop: typeof admin;

  before(async () => {
    demo = await demoFor(cleanUp);
    admin = await loginOf(demo);
    viewer = await loginOf(demo, 'breakpod-demo-viewer');
    shop = await loginOf(demo, 'breakpod-demo-shop');
    for (const [namespace, name] of [
      ['shop', 'a'],
      ['shop', 'b'],
      ['shop', 'c'],
      ['backoffice', 'd'],
    ] as const)
      demo.store.create(plainPod(namespace, name, { app: name, tier: namespace }));
  });

  const list = async (query: string) => {
    const { code, body } = await ask(admin, `/api/v1/pods${query}`);
    assert.equal(code, 200, body.message);
    return body;
  };
  const names = async (query: string) => (await list(query)).items.map(({ metadata }) => metadata.name).join(' ');

  test('refuses in the real server’s words', async t => {
    const pods = '/api/v1/namespaces/shop/pods';
    const nobody = { server: admin.server, ca: admin.ca };
    const upgrade = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const spdy = { connection: 'upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };
    const rows: [string, typeof nobody & { token?: string }, string, object, number, string, string][] = [
      ['wrong token', { ...nobody, token: 'x' }, pods, {}, 401, 'Unauthorized', 'Unauthorized'],
      [
        'anonymous',
        nobody,
        pods,
        {},
        403,
        'Forbidden',
        'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "shop"',
      ],
      [
        'all namespaces',
        shop,
        '/api/v1/pods',
        {},
        403,
        'Forbidden',
        'pods is forbidden: User "breakpod-demo-shop" cannot list resource "pods" in API group "" at the cluster scope',
      ],
      [
        'one pod',
        shop,
        '/api/v1/namespaces/backoffice/pods/d',
        {},
        403,
        'Forbidden',
        'pods "d" is forbidden: User "breakpod-demo-shop" cannot get resource "pods" in API group "" in the namespace "backoffice"',
      ],
      [
        'delete',
        viewer,
        `${pods}/a`,
        { method: 'DELETE' },
        403,
        'Forbidden',
        'pods "a" is forbidden: User "breakpod-demo-viewer" cannot delete resource "pods" in API group "" in the namespace "shop"',
      ],
      [
        'forward without right',
        viewer,
        `${pods}/a/portforward`,
        { method: 'POST', headers: spdy },
        403,
        'Forbidden',
        'pods "a" is forbidden: User "breakpod-demo-viewer" cannot create resource "pods/portforward" in API group "" in the namespace "shop"',
      ],
      [
        'WebSocket with create only',
        shop,
        `${pods}/a/portforward`,
        { headers: upgrade },
        403,
        'Forbidden',
        'pods "a" is forbidden: User "breakpod-demo-shop" cannot get resource "pods/portforward" in API group "" in the namespace "shop"',
      ],
      [
        'forward to no pod',
        shop,
        `${pods}/x/portforward`,
        { method: 'POST', headers: spdy },
        404,
        'NotFound',
        'pods "x" not found',
      ],
      [
        'forward without upgrade',
        admin,
        `${pods}/a/portforward`,
        { method: 'POST' },
        400,
        'BadRequest',
        'Upgrade request required',
      ],
      ['no pod', admin, `${pods}/x`, {}, 404, 'NotFound', 'pods "x" not found'],
      ['no namespace', admin, '/api/v1/namespaces/x', {}, 404, 'NotFound', 'namespaces "x" not found'],
      ['no resource', admin, '/api/v1/nodes', {}, 404, 'NotFound', 'the server could not find the requested resource'],
      [
        'method',
        admin,
        pods,
        { method: 'PUT' },
        405,
        'MethodNotAllowed',
        'the server does not allow this method on the requested resource',
      ],
      [
        'form',
        admin,
        pods,
        { headers: { accept: 'application/vnd.kubernetes.protobuf' } },
        406,
        'NotAcceptable',
        '406: Not Acceptable\n\nAvailable representations: application/json',
      ],
      [
        'another pod of the name',
        admin,
        `${pods}/a`,
        { method: 'DELETE', body: '{"preconditions":{"uid":"z"}}' },
        409,
        'Conflict',
        'Operation cannot be fulfilled on Pod "a": the UID in the precondition (z) does not match the UID in record (uid-of-a). The object might have been deleted and then recreated',
      ],
      [
        'body',
        admin,
        `${pods}/a`,
        { method: 'DELETE', body: 'no JSON' },
        400,
        'BadRequest',
        `couldn't get version/kind; json parse error: ${parseError('no JSON')}`,
      ],
      [
        'streaming list without match',
        admin,
        `${pods}?watch=1&sendInitialEvents=true`,
        {},
        422,
        'Invalid',
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ],
      [
        'match without streaming list',
        admin,
        `${pods}?watch=1&resourceVersionMatch=NotOlderThan`,
        {},
        422,
        'Invalid',
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ],
      [
        'label',
        admin,
        `${pods}?labelSelector=a%20b`,
        {},
        400,
        'BadRequest',
        "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
      ],
      ['limit', admin, `${pods}?limit=x`, {}, 400, 'BadRequest', 'strconv.ParseInt: parsing "x": invalid syntax'],
      [
        'field',
        admin,
        `${pods}?fieldSelector=spec.color%3Dred`,
        {},
        400,
        'BadRequest',
        'field label not supported: spec.color',
      ],
      ['page', admin, `${pods}?continue=x`, {}, 400, 'BadRequest', 'invalid continue token: continue key is not valid'],
      [
        'log of one of no containers',
        admin,
        `${pods}/a/log?container=x`,
        {},
        400,
        'BadRequest',
        'container x is not valid for pod a',
      ],
    ];
    for (const [name, login, path, asked, code, reason, message] of rows)
      await t.test(name, async () => {
        const { body, ...answer } = await ask(login, path, asked);
        const { kind, reason: said, message: words } = body;
        assert.deepEqual(
          { ...answer, kind, said, words, inside: body.code },
          { code, kind: 'Status', said: reason, words: message, inside: code },
        );
      });
  });

  test('lets in by certificate and by token, and no longer by a revoked one', async () => {
    assert.equal((await ask(admin, '/api/v1/pods')).code, 200);
    assert.equal((await ask(shop, '/api/v1/namespaces/shop/pods')).code, 200);
    const token = demo.users.addToken({ name: 'brief', groups: [], rules: [{ verbs: ['list'], resources: ['pods'] }] });
    assert.equal((await ask({ server: admin.server, ca: admin.ca, token }, '/api/v1/pods')).code, 200);
    demo.users.revokeToken(token);
    assert.equal((await ask({ server: admin.server, ca: admin.ca, token }, '/api/v1/pods')).code, 401);
  });

  test('a certificate of another authority is refused', async t => {
    const other = await loginOf(await demoFor(run => t.after(run)));
    const { code } = await ask({ ...admin, cert: other.cert!, key: other.key! }, '/api/v1/pods');
    assert.equal(code, 401);
  });

  test('anybody may ask for the version', async () => {
    const response = await send({ server: admin.server, ca: admin.ca }, '/version');
    response.resume();
    assert.equal(response.statusCode, 200);
  });

  test('selects', async t => {
    const rows = [
      ['', 'd a b c'],
      ['?labelSelector=app%3Da', 'a'],
      ['?labelSelector=app!%3Da,tier%3Dshop', 'b c'],
      ['?labelSelector=app%20in%20(a,%20d)', 'd a'],
      ['?labelSelector=tier,app%20notin%20(a,d)', 'b c'],
      ['?labelSelector=!app', ''],
      ['?fieldSelector=metadata.name%3Db', 'b'],
      ['?fieldSelector=metadata.namespace!%3Dshop,status.phase%3DRunning', 'd'],
    ] as const;
    for (const [query, expected] of rows) await t.test(query, async () => assert.equal(await names(query), expected));
  });

  test('pages hold together while pods come and go, until the next compaction', async () => {
    const first = await list('?limit=2');
    assert.deepEqual([first.items.length, first.metadata.remainingItemCount], [2, 2]);
    demo.store.create(plainPod('shop', 'aa'));
    const second = await list(`?limit=2&continue=${first.metadata.continue}`);
    assert.deepEqual(
      second.items.map(({ metadata }) => metadata.name),
      ['b', 'c'],
    );
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
    assert.equal(second.metadata.continue, undefined);

    demo.compact();
    const gone = await ask(admin, `/api/v1/pods?limit=2&continue=${first.metadata.continue}`);
    assert.deepEqual([gone.code, gone.body.reason], [410, 'Expired']);
    const rest = await list(`?limit=10&continue=${gone.body.metadata.continue}`);
    assert.deepEqual(
      rest.items.map(({ metadata }) => metadata.name),
      ['aa', 'b', 'c'],
      'with what is there now',
    );
    demo.store.delete('shop', 'aa');
  });

  test('versions: exact, forgotten, and of the future', async () => {
    const { metadata } = await list('');
    const version = Number(metadata.resourceVersion);
    demo.store.create(plainPod('shop', 'later'));
    assert.equal(await names(`?resourceVersion=${version}&resourceVersionMatch=Exact`), 'd a b c');
    assert.equal(await names(`?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`), 'd a b c later');
    demo.store.delete('shop', 'later');
    demo.compact();
    const old = await ask(admin, `/api/v1/pods?resourceVersion=${version}&resourceVersionMatch=Exact`);
    assert.deepEqual([old.code, old.body.message], [410, 'The resourceVersion for the provided list is too old.']);
    const future = await ask(admin, '/api/v1/pods?resourceVersion=999999');
    assert.deepEqual(
      [future.code, future.body.reason, future.body.details?.['retryAfterSeconds']],
      [504, 'Timeout', 1],
    );
  });

  test('a pod without processes is deleted at once', async () => {
    demo.store.create(plainPod('shop', 'brief'));
    assert.equal((await ask(admin, '/api/v1/namespaces/shop/pods/brief', { method: 'DELETE' })).code, 200);
    assert.equal((await ask(admin, '/api/v1/namespaces/shop/pods/brief')).code, 404);
  });
});

function parseError(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return (error as SyntaxError).message;
  }
  return assert.fail('it is JSON');
}
