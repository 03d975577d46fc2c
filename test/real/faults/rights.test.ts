// Rights and logins end and come back while the product watches; the API server restarts, since an open watch outlives both.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, before, suite, test } from 'node:test';
import { afterSuite } from '../../integration/demo/support.ts';
import { deletePod } from '../cluster/faults/pods.ts';
import { restartApiServer } from '../cluster/faults/servers.ts';
import { byPlugin, writeKubeconfig } from '../cluster/kubeconfig.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { type CommandError, until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import * as rights from '../cluster/users.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { killRun } from '../support/killRun.ts';
import { assertLogIsComplete } from '../support/kubeletRecordCompare.ts';
import { assertAnswers, InspectorForward } from '../support/openForward.ts';
import { type Product, startProduct } from '../support/product.ts';
import { assertRecovers } from '../support/recovery.ts';

const limit = { timeout: 300_000 };

/** For how long the tokens of the beginning are good. */
const FIRST_SECONDS = 45;

/** A token, a client certificate, a token file, a token in the kubeconfig, a plugin whose tokens are soon over. */
const users = ['dev', 'admin', 'file', 'short', 'soon'] as const;

suite('rights and logins on the real node that end and come back', { skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  let endOfFirstMs = 0;
  let forward: InspectorForward;
  const products = new Map<string, Product>();
  const productOf = (user: (typeof users)[number]) => products.get(user)!;

  before(async () => {
    cluster = await clusterFor(after, { name: 'rights' });
    // A status names two runs, so what crashes again and again while the API server is away cannot all be known.
    await deletePod(cluster, 'crash');
    await writeKubeconfig(cluster, 'soon', byPlugin(cluster, cluster.devUid!, 15), { namespace: 'shop' });
    const start = async (user: string) => {
      const product = await startProduct(cluster, { user });
      after(() => product.dispose());
      products.set(user, product);
    };
    await Promise.all(users.filter(user => user !== 'file' && user !== 'short').map(start));
    await rights.renewToken(cluster, FIRST_SECONDS - rights.GRACE_SECONDS);
    await rights.shortToken(cluster, FIRST_SECONDS);
    endOfFirstMs = Date.now() + FIRST_SECONDS * 1000;
    await Promise.all(['file', 'short'].map(start));
    forward = await InspectorForward.open(after, productOf('dev'), 'flags');
  });

  afterEach(async () => {
    for (const product of products.values()) await assertLogIsComplete(cluster, product);
  });

  const assertRecover = (...names: readonly (typeof users)[number][]) =>
    Promise.all(names.map(user => assertRecovers(cluster, productOf(user), user)));
  const problem = (user: (typeof users)[number], wanted: RegExp) =>
    productOf(user).waitFor(
      `what is wrong for ${user}`,
      () => wanted.test(productOf(user).problem) && productOf(user).problem,
    );
  const said = (user: (typeof users)[number]) =>
    productOf(user)
      .records.map(({ entry }) => entry)
      .join('\n');

  test(
    'the right to forward goes: connections stay, and a new forward says which right is missing',
    limit,
    async () => {
      const client = await forward.connect();
      await rights.revokeForwards(cluster);
      const may = () =>
        kubectl(cluster, ['auth', 'can-i', 'create', 'pods', '--subresource=portforward', '-n', 'shop'], {
          user: 'dev',
        });
      await until('the right to go', () =>
        may().then(
          () => false,
          error => (error as CommandError).stdout.trim() === 'no',
        ),
      );
      await assertAnswers(client);
      const second = await forward.connect(); // over a session that is open
      await assertAnswers(second);
      second.close();
      client.close();
      await assert.rejects(InspectorForward.open(after, productOf('dev'), 'flags'), {
        code: 'forward-forbidden',
        message:
          /^Forwarding to shop\/flags is not allowed: the right "create" on pods\/portforward in the namespace "shop" is missing\.$/,
      });
    },
  );

  test(
    'logins that are renewed go on without a question, and one that is over says so until it is renewed',
    limit,
    async () => {
      await delay(Math.max(0, endOfFirstMs - Date.now())); // in which no server does anything
      await rights.renewToken(cluster, 600);
      const pluginCalls = () => readFileSync(join(cluster.work, 'credential.log'), 'utf8').split('\n').length;
      const callsBefore = pluginCalls();
      await restartApiServer(cluster, () => killRun(cluster, 'two', 'front'));
      await assertRecover('admin', 'dev', 'file', 'soon');
      for (const user of ['file', 'soon'] as const) assert.doesNotMatch(said(user), /refuses the login/);
      assert.ok(pluginCalls() > callsBefore);
      assert.match(
        await problem('short', /refuses the login/),
        /^The API server https:\S+ refuses the login of "rights-short"\. \(Unauthorized\) Log in again, /,
      );
      await rights.shortToken(cluster, 600);
      await assertRecover('short');
    },
  );

  test(
    'the right to forward is still missing: a new connection is refused in words, and works when it is given',
    limit,
    async () => {
      await assert.rejects(forward.connect());
      assert.match(forward.problems.at(-1)!, /^Forwarding to shop\/flags is not allowed: the right "create"/);
      await rights.grantRights(cluster);
      const client = await forward.reconnect();
      await assertAnswers(client);
      client.close();
    },
  );

  test('the right to see pods goes and comes back, and so does the token of a file', limit, async () => {
    await rights.revokeRights(cluster);
    await rights.renewToken(cluster, -3_600);
    const back = productOf('dev').row('two', 'back')!.container;
    await killRun(cluster, 'two', 'back'); // an open watch goes on
    await productOf('dev').waitForRow(
      'the next run',
      row => row.container.slot === back.slot && row.container.id !== back.id,
    );
    await restartApiServer(cluster, () => killRun(cluster, 'sidecar', 'helper'));
    await assertRecover('admin');
    assert.match(
      await problem('dev', /No right/),
      /^No right to (list|watch) pods in namespace shop\. \(pods is forbidden: .*\) Ask for a role with the verbs get, list and watch/,
    );
    await problem('file', /^The API server https:\S+ refuses the login of "rights-file"\./);
    await rights.grantRights(cluster);
    await assertRecover('dev', 'short', 'soon');
    await rights.renewToken(cluster, 600);
    await assertRecover('file');
  });
});
