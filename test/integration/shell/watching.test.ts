import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { clusterId } from '../../../src/core/identity.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import { type Choice, Watching } from '../../../src/shell/watching.ts';
import { container } from '../../support/containers.ts';

const kubeconfig = (current: string) => ({
  'current-context': current,
  clusters: [{ name: 'here', cluster: { server: 'https://127.0.0.1:6443' } }],
  contexts: ['dev', 'prod'].map(name => ({ name, context: { cluster: 'here', user: 'me', namespace: `${name}-ns` } })),
  users: [{ name: 'me', user: { token: 'x' } }],
});

/** A scope over a kubeconfig file, whose source says one container of the asked context and waits for its end. */
async function scopeOn(t: TestContext, content: object | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'breakpod-scope-'));
  const file = join(folder, 'config');
  const write = (config: object) => writeFile(file, JSON.stringify(config));
  if (content) await write(content);
  const store = new Store(new EventLog(() => new Date(0)));
  const asked: string[] = [];
  let choice: Choice = {};
  const watching = new Watching({
    choice: { get: () => choice, set: value => (choice = value) },
    kubeconfigSetting: () => file,
    environment: () => process.env,
    sourceOf: (access, namespaces) =>
      async function* (signal) {
        asked.push(`${access.context}: ${namespaces === 'all' ? 'all' : namespaces.join(', ')}`);
        const at = container({ cluster: access.cluster, namespace: access.namespace });
        yield { kind: 'source', source: 'pods', state: { kind: 'watching' } };
        yield { kind: 'snapshot', source: 'pods', containers: [at] };
        await new Promise(resolve => signal.addEventListener('abort', resolve));
      },
    app: { store, watch: (_, source) => new Feed(source, store, error => assert.fail(String(error))) },
  });
  t.after(async () => {
    watching.dispose();
    await rm(folder, { recursive: true });
  });
  const namespaces = () => rowsOf(store.state).map(row => row.container.namespace);
  return { watching, store, asked, write, file, namespaces, choice: () => choice };
}

async function until(what: string, condition: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !condition(); i++) await delay(20);
  assert.ok(condition(), what);
}

test('Watching: as kubectl has it, when nothing was chosen; nothing before it starts', async t => {
  const { watching, asked, namespaces, store } = await scopeOn(t, kubeconfig('dev'));
  assert.deepEqual([watching.state.kind, asked.length], ['idle', 0]);
  watching.start();
  watching.start();
  await until('a row', () => namespaces().length === 1);
  assert.deepEqual(asked, ['dev: dev-ns']);
  assert.deepEqual([...store.state.sources.keys()], ['pods of dev']);
  watching.stop();
  assert.deepEqual([watching.state.kind, namespaces().length, store.state.sources.size], ['idle', 0, 0]);
});

test('Watching: a chosen context is remembered, with the namespace that it names', async t => {
  const { watching, asked, namespaces, choice } = await scopeOn(t, kubeconfig('dev'));
  watching.chooseNamespaces('all');
  watching.chooseContext('prod');
  await until('its row', () => namespaces().includes('prod-ns'));
  assert.deepEqual(asked, ['prod: prod-ns'], 'what was overtaken asks nothing');
  assert.deepEqual(choice(), { context: 'prod' });
  watching.chooseNamespaces(['a', 'b']);
  await until('both', () => asked.length === 2);
  assert.equal(asked[1], 'prod: a, b');
});

test('Watching: follows the kubeconfig, and says what is wrong with it', async t => {
  const { watching, namespaces, write } = await scopeOn(t, undefined);
  watching.start();
  await until('a failure', () => watching.state.kind === 'failed');
  assert.equal(watching.state.kind === 'failed' && watching.state.failure.code, 'kubeconfig-missing');
  await write(kubeconfig('dev'));
  await until('the row of dev', () => namespaces().includes('dev-ns'));
  await write(kubeconfig('prod'));
  await until('the row of prod alone', () => namespaces().join() === 'prod-ns');
});

test('Watching: the demo goes before the choice until it ends; clusters that were watched stay known', async t => {
  const { watching, asked, file, namespaces, choice } = await scopeOn(t, kubeconfig('dev'));
  watching.chooseContext('prod');
  await until('prod', () => namespaces().includes('prod-ns'));
  watching.watchDemo({ kubeconfig: file, workspace: '/sources' });
  await until('the demo', () => asked.includes('dev: all'));
  assert.deepEqual([watching.isDemo, watching.demoFolders], [true, ['/sources']]);
  watching.chooseContext('prod');
  await until('another context of the demo', () => asked.filter(scope => scope === 'prod: prod-ns').length === 2);
  watching.chooseNamespaces(['a']);
  await until('another namespace of the demo', () => asked.includes('prod: a'));
  watching.stop();
  assert.equal(watching.isDemo, true, 'it runs, though nobody looks');
  watching.start();
  watching.watchDemo(undefined);
  await until('prod again', () => asked.filter(scope => scope === 'prod: prod-ns').length === 3);
  assert.deepEqual(choice(), { context: 'prod' }, 'what is chosen in the demo is not remembered');
  const cluster = (context: string) => clusterId('https://127.0.0.1:6443/', context);
  assert.equal(watching.accessOf(cluster('dev')).context, 'dev');
  assert.throws(() => watching.accessOf(cluster('elsewhere')), /not known/);
});

test('Watching: what a session works on goes before the choice, until it is over or the user chooses', async t => {
  const { watching, asked, namespaces, choice } = await scopeOn(t, kubeconfig('dev'));
  watching.chooseNamespaces(['mine']);
  await until('the choice', () => namespaces().length === 1);
  const session = watching.watchFor({ choice: { context: 'prod' } });
  await until('the scope of the session', () => namespaces()[0] === 'prod-ns');
  session.dispose();
  await until('the choice again', () => asked.length === 3);
  assert.deepEqual(asked, ['dev: mine', 'prod: prod-ns', 'dev: mine']);
  const next = watching.watchFor({ choice: { context: 'prod' } });
  await until('the next session', () => asked.length === 4);
  watching.chooseContext('dev');
  await until('what the user has chosen meanwhile', () => asked.at(-1) === 'dev: dev-ns');
  next.dispose();
  assert.deepEqual(choice(), { context: 'dev' });
  assert.equal(asked.length, 5);
});

test('Watching: a session that works on what is watched already changes nothing, and neither does its end', async t => {
  const { watching, asked, namespaces } = await scopeOn(t, kubeconfig('dev'));
  watching.start();
  await until('the rows', () => namespaces().length === 1);
  watching.watchFor({ choice: {}, source: 'skaffold:1' }).dispose();
  watching.watchFor({ source: 'skaffold:1' }).dispose();
  await delay(50);
  assert.deepEqual(asked, ['dev: dev-ns']);
});

test('Watching: the namespaces that the Skaffold of a session names are watched, too, each once', async t => {
  const { watching, asked, store, namespaces } = await scopeOn(t, kubeconfig('dev'));
  watching.start();
  await until('the rows', () => namespaces().length === 1);
  const session = watching.watchFor({ source: 'skaffold:1' });
  const reported = (namespace: string) =>
    ({
      namespace,
      pod: 'web-1',
      container: 'web',
      artifact: '',
      runtime: 'nodejs',
      workingDir: '',
      ports: {},
    }) as const;
  for (const namespace of ['dev-ns', 'other', 'other', ''])
    store.apply({
      kind: 'skaffold',
      source: 'skaffold:1',
      facts: [{ kind: 'debugging', status: 'Started', reported: reported(namespace) }],
    });
  await until('the other namespace', () => asked.length === 2);
  assert.deepEqual(asked, ['dev: dev-ns', 'dev: other']);
  session.dispose();
});
