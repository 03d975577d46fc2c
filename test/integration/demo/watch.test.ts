import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Demo } from '../../../src/demo/demo.ts';
import { afterSuite, ask, demoFor, loginOf, plainPod, Watching } from './support.ts';

const PODS = '/api/v1/pods?watch=true';
const STREAMING = `${PODS}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

suite('watch of the demo cluster', () => {
  const cleanUp = afterSuite();
  let demo: Demo;
  let admin: Awaited<ReturnType<typeof loginOf>>;
  const open: Watching[] = [];

  before(async () => {
    demo = await demoFor(cleanUp, { watches: { bookmarkMs: 100 } });
    admin = await loginOf(demo);
    demo.store.create(plainPod('shop', 'a', { app: 'a' }));
    demo.store.create(plainPod('shop', 'b', { app: 'b' }));
  });
  after(() => open.forEach(watching => watching.close()));

  const watch = async (path: string) => {
    const watching = await Watching.open(admin, path);
    open.push(watching);
    return watching;
  };
  const touch = (name: string, change: Record<string, string>) =>
    demo.store.update('shop', name, ({ metadata }) => Object.assign((metadata.labels ??= {}), change));
  let times = 0;
  const anything = () => touch('a', { touched: String(times++) });

  test('a streaming list: what is there, a bookmark that says so, then changes', async () => {
    const watching = await watch(STREAMING);
    assert.deepEqual((await watching.until(3)).slice(0, 3), ['ADDED shop/a', 'ADDED shop/b', 'BOOKMARK']);
    const { metadata } = watching.events[2]!.object;
    assert.equal(metadata.annotations?.['k8s.io/initial-events-end'], 'true');
    assert.equal(metadata.resourceVersion, String(demo.store.version));
    const { version } = anything()!;
    await watching.until(5);
    const changed = watching.events.find(({ type }) => type === 'MODIFIED')!;
    assert.equal(changed.object.metadata.resourceVersion, String(version));
  });

  test('bookmarks come only when they are asked for, with the newest version', async () => {
    const [with_, without] = await Promise.all([watch(`${PODS}&allowWatchBookmarks=1`), watch(PODS)]);
    demo.store.create(plainPod('backoffice', 'other'));
    const other = `${demo.store.version}`;
    await with_.until(5);
    assert.ok(
      with_.events.some(({ type, object }) => type === 'BOOKMARK' && object.metadata.resourceVersion === other),
    );
    assert.ok(!without.words.includes('BOOKMARK'));
    demo.store.delete('backoffice', 'other');
  });

  test('goes on from a version, without a gap and without repetition', async () => {
    const { version } = anything()!;
    anything();
    const watching = await watch(`${PODS}&resourceVersion=${version}`);
    anything();
    await watching.until(2);
    assert.deepEqual(
      watching.events.map(({ object }) => object.metadata.resourceVersion),
      [`${version + 1}`, `${version + 2}`],
    );
  });

  test('one pod by its name', async () => {
    const watching = await watch('/api/v1/namespaces/shop/pods?watch=true&fieldSelector=metadata.name%3Db');
    anything();
    touch('b', { touched: 'yes' });
    assert.deepEqual(await watching.until(2), ['ADDED shop/b', 'MODIFIED shop/b']);
  });

  test('a pod that comes into a selector is added, one that leaves it is deleted', async () => {
    const watching = await watch(`${PODS}&labelSelector=state%3Don`);
    touch('b', { state: 'off' });
    touch('b', { state: 'on' });
    touch('b', { more: 'yes' });
    touch('b', { state: 'off' });
    demo.store.create(plainPod('shop', 'c', { state: 'on' }));
    demo.store.delete('shop', 'c');
    assert.deepEqual(await watching.until(5), [
      'ADDED shop/b',
      'MODIFIED shop/b',
      'DELETED shop/b',
      'ADDED shop/c',
      'DELETED shop/c',
    ]);
    assert.equal(watching.events[2]!.object.metadata.labels?.['state'], 'on', 'as it was when it still matched');
  });

  test('ends in good order when its time is over', async () => {
    assert.equal(await (await watch(`${PODS}&timeoutSeconds=1`)).untilEnd(), 'in good order');
  });

  test('a forgotten version: an error event', async () => {
    const { version } = anything()!;
    anything();
    demo.compact();
    const watching = await watch(`${PODS}&resourceVersion=${version}`);
    assert.equal(await watching.untilEnd(), 'in good order');
    const { code, reason, message } = watching.events[0]!.object;
    const current = demo.store.version;
    assert.deepEqual(
      [watching.words, code, reason, message],
      [['ERROR'], 410, 'Expired', `too old resource version: ${version} (${current})`],
    );
  });

  test('a forgotten version: the other two forms', async () => {
    const path = `${PODS}&resourceVersion=1`;
    demo.watches.gone = 'status';
    const { code, body } = await ask(admin, path);
    assert.deepEqual([code, body.reason], [410, 'Expired']);
    demo.watches.gone = 'empty';
    const watching = await watch(path);
    assert.equal(await watching.untilEnd(), 'in good order');
    assert.deepEqual(watching.words, []);
    demo.watches.gone = 'error-event';
  });

  test('streaming lists refused in both ways', async () => {
    demo.watches.streamingLists = 'status';
    const { code, body } = await ask(admin, STREAMING);
    assert.deepEqual([code, body.reason], [422, 'Invalid']);
    demo.watches.streamingLists = 'error-event';
    const watching = await watch(STREAMING);
    assert.equal(await watching.untilEnd(), 'in good order');
    assert.deepEqual([watching.words, watching.events[0]!.object.code], [['ERROR'], 500]);
    demo.watches.streamingLists = 'on';
  });

  test('a killed API server: watches break, and on the same port it has forgotten what was before', async () => {
    const { version } = anything()!;
    const watching = await watch(`${PODS}&resourceVersion=${version}`);
    const { server } = demo;
    await demo.killApiServer();
    assert.equal(await watching.untilEnd(), 'broken');
    await assert.rejects(ask(admin, '/version'), { code: 'ECONNREFUSED' });
    anything();
    await demo.startApiServer();
    assert.equal(demo.server, server);
    const again = await watch(`${PODS}&resourceVersion=${version}`);
    await again.untilEnd();
    assert.equal(again.events[0]!.object.code, 410);
  });

  test('dropped connections break a watch, new ones are served', async () => {
    const watching = await watch(PODS);
    demo.dropConnections();
    assert.equal(await watching.untilEnd(), 'broken');
    assert.equal((await ask(admin, '/api/v1/pods')).code, 200);
  });
});
