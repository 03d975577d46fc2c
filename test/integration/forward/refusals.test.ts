import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import type { Transport } from '../../../src/cluster/forward/session.ts';
import type { Verbs } from './support/apiServer.ts';
import { middlebox, type Treatment, type Treatments } from './support/between.ts';
import { echo, talk, until } from './support/clients.ts';
import { PORT } from './support/podApp.ts';
import { setup } from './support/setup.ts';

describe('rights: the server is believed, no other transport is tried', () => {
  const cases: { verbs: Verbs; transport: Transport; missing?: string }[] = [
    { verbs: [], transport: 'spdy', missing: 'create' },
    { verbs: ['get'], transport: 'spdy', missing: 'create' },
    { verbs: ['create'], transport: 'spdy' },
    { verbs: ['get', 'create'], transport: 'spdy' },
    { verbs: [], transport: 'tunnel', missing: 'get' },
    { verbs: ['get'], transport: 'tunnel', missing: 'create' },
    { verbs: ['create'], transport: 'tunnel', missing: 'get' },
    { verbs: ['get', 'create'], transport: 'tunnel' },
    { verbs: ['create'], transport: 'v4', missing: 'get' },
    { verbs: ['get'], transport: 'v4', missing: 'create' },
    { verbs: ['get', 'create'], transport: 'v4' },
  ];
  for (const { verbs, transport, missing } of cases)
    test(`${transport} with ${verbs.join(' and ') || 'no right'}: ${missing ? `"${missing}" is missing` : 'works'}`, async t => {
      const { api, open, problems } = await setup(t, { transports: [transport, 'tunnel'] });
      api.verbs = verbs;
      const error = await openOrTry(open, problems);
      if (!missing) return assert.equal(error, undefined);
      assert.ok(error instanceof UserError);
      assert.equal(error.code, 'forward-forbidden');
      assert.match(error.message, new RegExp(`the right "${missing}" on pods/portforward in the namespace "shop"`));
      assert.match(String(error.cause), /is forbidden/);
      assert.equal(api.upgrades.length, 1);
    });
});

test('H42: a refused login is tried once more with new credentials', async t => {
  const { access, open } = await setup(t, { tokens: ['old', 'good'] });
  const { localPort } = await open(PORT.echo);
  assert.equal(await echo(localPort), 'hello');
  assert.equal(access.forgotten, 1);
});

test('H42: a login that stays refused is said', async t => {
  const { access, api, open } = await setup(t, { tokens: ['old', 'older'] });
  await assert.rejects(open(PORT.echo), { name: 'UserError', code: 'login-refused' });
  assert.equal(access.forgotten, 1);
  assert.deepEqual(api.upgrades, ['spdy/3.1', 'spdy/3.1']);
});

test('no such pod', async t => {
  const { open, pod } = await setup(t);
  await assert.rejects(open(PORT.echo, { ...pod, pod: 'other' }), (error: UserError) => {
    assert.equal(error.code, 'pod-gone');
    assert.match(String(error.cause), /pods "other" not found/);
    return true;
  });
});

for (const transport of ['spdy', 'tunnel'] as const)
  test(`a ${transport} session on which the pod has refused a connection takes no other`, async t => {
    const { open } = await setup(t, { transports: [transport], limits: { idleMs: 600_000 } });
    const forward = await open(PORT.nobody);
    const [used] = forward.sessions;
    const connection = await forward.dial(AbortSignal.timeout(20_000));
    await new Promise(resolve => connection.once('error', resolve));
    await until('the end of the session', () => !forward.sessions.includes(used!));
    await forward.dial(AbortSignal.timeout(20_000)).then(next => next.on('error', () => undefined));
  });

test('no API server', async t => {
  const { open, api } = await setup(t);
  await api.close();
  await assert.rejects(open(PORT.echo), (error: UserError) => {
    assert.equal(error.code, 'api-unreachable');
    assert.match(String(error.cause), /ECONNREFUSED/);
    return true;
  });
});

test('a certificate that is not trusted', async t => {
  const { open, access } = await setup(t);
  Object.assign(access, { tls: {} });
  await assert.rejects(open(PORT.echo), { name: 'UserError', code: 'certificate-untrusted' });
});

describe('something in between', () => {
  const cases: { name: string; box: Treatments; works?: Transport; reason?: RegExp }[] = [
    {
      name: 'takes the upgrade out',
      box: { spdy: 'strip' },
      works: 'tunnel',
      reason: /spdy: Upgrade request required/,
    },
    { name: 'breaks SPDY off', box: { spdy: 'drop' }, works: 'tunnel', reason: /spdy: socket hang up/ },
    {
      name: 'answers SPDY with a page of its own',
      box: { spdy: 'forbid' },
      works: 'tunnel',
      reason: /HTTP 403 Blocked by/,
    },
    { name: 'swallows SPDY', box: { spdy: 'silent' }, works: 'tunnel', reason: /spdy: no answer within 500 ms/ },
    { name: 'breaks WebSockets off', box: { websocket: 'drop' }, works: 'spdy' },
    { name: 'lets nothing through', box: { spdy: 'strip', websocket: 'drop' } },
    { name: 'forbids everything', box: { spdy: 'forbid', websocket: 'forbid' } },
    { name: 'swallows everything', box: { spdy: 'silent', websocket: 'silent' } },
  ];
  for (const { name, box, works, reason } of cases)
    test(`${name}: ${works ?? 'all reasons are told'}`, async t => {
      const { open, problems, log } = await setup(t, {
        tls: false,
        limits: { dialMs: 500 },
        via: async api => {
          const between = await middlebox(api.url, box);
          t.after(() => between.close());
          return between.url;
        },
      });
      const forward = await open(PORT.echo);
      if (works) {
        assert.equal(await echo(forward.localPort), 'hello');
        assert.equal(forward.transport, works);
        if (reason) assert.match(log.join('\n'), reason);
        return;
      }
      assert.equal((await talk(forward.localPort, 'x')).how, 'ECONNRESET');
      const [problem] = problems;
      assert.ok(problem instanceof UserError);
      assert.equal(problem.code, 'forward-impossible');
      assert.match(String(problem.cause), /^spdy: .*; tunnel: .*; v4: /);
    });

  test('the transport that worked is tried first the next time', async t => {
    const { open, api } = await setup(t, {
      tls: false,
      via: async server => {
        const between = await middlebox(server.url, { spdy: 'drop' });
        t.after(() => between.close());
        return between.url;
      },
    });
    await open(PORT.echo);
    await open(PORT.bulk);
    assert.deepEqual(new Set(api.upgrades), new Set(['SPDY/3.1+portforward.k8s.io']));
  });

  test('v4 is left again when a better transport works', async t => {
    const treatments: { spdy: Treatment } = { spdy: 'drop' };
    const { open } = await setup(t, {
      tls: false,
      transports: ['spdy', 'v4'],
      limits: { v4Ms: 300 },
      via: async api => {
        const between = await middlebox(api.url, treatments);
        t.after(() => between.close());
        return between.url;
      },
    });
    const forward = await open(PORT.echo);
    assert.equal(await echo(forward.localPort), 'hello');
    assert.equal(forward.transport, 'v4');
    treatments.spdy = 'pass';
    await until('v4 is over', () => !forward.sessions.some(({ usable }) => usable));
    assert.equal(await echo(forward.localPort), 'hello');
    assert.ok(forward.sessions.some(({ transport }) => transport === 'spdy'));
  });
});

/** v4 shows at its first connection what is wrong, the others when they are opened. */
async function openOrTry(
  open: (port: number) => Promise<{ localPort: number }>,
  problems: readonly Error[],
): Promise<unknown> {
  try {
    const { localPort } = await open(PORT.echo);
    await talk(localPort, 'x', { limitMs: 300 });
    return problems[0];
  } catch (error) {
    return error;
  }
}
