import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test, { type TestContext } from 'node:test';
import { DemoCluster } from '../../../src/shell/demoCluster.ts';
import { container } from '../../support/containers.ts';

const entrance = fileURLToPath(new URL('../../../src/demo/main.ts', import.meta.url));

function demoCluster(t: TestContext, script: string) {
  const lines: string[] = [];
  const demo = new DemoCluster(script, line => lines.push(line));
  t.after(() => demo.dispose());
  return { demo, lines };
}

test('DemoCluster: starts once, replaces a pod, and ends when it is told', async t => {
  const { demo } = demoCluster(t, entrance);
  const [first, second] = await Promise.all([demo.start(), demo.start()]);
  assert.equal(first, second);
  assert.match(await readFile(first.kubeconfig, 'utf8'), /breakpod-demo/);
  await demo.replace(container({ namespace: 'shop', pod: 'web' }));
  await demo.restart(container({ namespace: 'shop', pod: 'web', container: 'web' }));
  await assert.rejects(demo.restart(container({ namespace: 'shop', pod: 'nobody' })), { code: 'demo-command-failed' });
  const ended = new Promise<void>(resolve => demo.onDidEnd(resolve));
  demo.stop();
  await ended;
  assert.equal(existsSync(first.kubeconfig), false, 'it leaves nothing behind');
});

test('DemoCluster: what does not start says why, and can be started again', async t => {
  const { demo } = demoCluster(t, fileURLToPath(new URL('no-such-demo.ts', import.meta.url)));
  await assert.rejects(demo.start(), { code: 'demo-not-started' });
  await assert.rejects(demo.start(), { code: 'demo-not-started' });
  await assert.rejects(demo.replace(container()), { code: 'demo-not-running' });
});
