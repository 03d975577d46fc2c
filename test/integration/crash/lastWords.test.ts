// H66: what a container printed before it crashed, on the demo cluster's real processes.
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import test, { after, before } from 'node:test';
import { detect } from '../../../src/cluster/detect/detect.ts';
import { remarksOn } from '../../../src/cluster/detect/remarks.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { LastWordsReader } from '../../../src/cluster/pods/lastWords.ts';
import { watchScopes } from '../../../src/cluster/watch/scopes.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { explain } from '../../../src/core/explain/explain.ts';
import { Feed } from '../../../src/core/feed.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import type { Demo } from '../../../src/demo/demo.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { demoFor, eventually } from '../demo/support.ts';

let demo: Demo;
const ends: (() => Promise<void> | void)[] = [];
before(async () => {
  const crash = WORKLOADS.find(({ name }) => name === 'crash')!;
  const workloads = [crash, { ...crash, namespace: 'shop' }];
  demo = await demoFor(end => ends.push(end), { workloads, backoff: { firstMs: 2000, mostMs: 4000 } });
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A login that may list pods and nothing more. */
function loginWithoutLogs(): string {
  const rules = [{ verbs: ['get', 'list', 'watch'], resources: ['pods'], namespace: 'shop' }];
  return demo.users.addToken({ name: 'pods-only', groups: [], rules });
}

/** The rows of the crashing container as a login sees them, and the paths of the logs that it has asked for. */
async function watchAs(t: { after(end: () => void): void }, namespace: string, token?: string) {
  const config = await loadKubeconfig({ env: {}, home: homedir(), explicitFile: demo.kubeconfigFile });
  const found = accessOf(config, token === undefined ? 'breakpod-demo' : 'breakpod-demo-shop');
  const withToken = async () => ({ ...(await found.credentials()), headers: { authorization: `Bearer ${token}` } });
  const access = token === undefined ? found : { ...found, credentials: withToken };
  const store = new Store(new EventLog(() => new Date()));
  const asked: string[] = [];
  const api = kubeApi(access);
  const noting: typeof api = {
    ...api,
    access,
    get: (path, signal) => {
      asked.push(path);
      return api.get(path, signal);
    },
  };
  const reader = new LastWordsReader(store, () => noting);
  const source = watchScopes({ api, detect, remarks: remarksOn, namespaces: [namespace], fallback: [] });
  const feed = new Feed(source, store, error => assert.fail(String(error)));
  t.after(() => {
    feed.dispose();
    reader.dispose();
  });
  return { store, asked, row: () => rowsOf(store.state)[0] };
}

test('the row of a container that crashes quotes its last line, read once for each crash', async t => {
  const { store, asked, row } = await watchAs(t, 'backoffice');
  const crashes = new Set<string>();
  store.onDidChange(({ lastWords }) => [...lastWords.values()].forEach(({ run }) => crashes.add(run)));
  const pattern = /; its last line is "Error: settings\.json is missing"$/;
  const quoted = await eventually('the line', () => {
    const now = row();
    return pattern.test(now?.reason ?? '') ? now : undefined;
  });
  assert.equal(quoted.state, 'starting');
  assert.equal(quoted.isAttachable, false);
  await eventually('a second crash', () => crashes.size >= 2 || undefined);
  assert.ok(asked.length <= crashes.size + 1, `${asked.length} logs for ${crashes.size} crashes`);
  assert.ok(asked.every(path => /\/log\?.*limitBytes=\d+/.test(path)));
});

test('without the right to read logs the row is as before, and Explain names the right', async t => {
  const { store, row } = await watchAs(t, 'shop', loginWithoutLogs());
  await eventually('an answer', () => store.state.lastWords.size > 0 || undefined);
  const pod = await eventually('the chain of a crash', () => {
    const now = row();
    const step = now && explain(store.state, now).find(({ name }) => name === 'pod');
    return step?.detail.includes('log cannot be read') ? step : undefined;
  });
  assert.equal(pod.ok, false);
  assert.match(pod.detail, /its log cannot be read: .*pods\/log/);
  assert.doesNotMatch(row()?.reason ?? '', /last line|log/);
});
