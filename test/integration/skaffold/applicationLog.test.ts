import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Row } from '../../../src/core/selectors.ts';
import { ApplicationLogs } from '../../../src/shell/applicationLogs.ts';
import { readApplicationLog } from '../../../src/skaffold/applicationLog.ts';
import { type ServerFaults, startSkaffoldServer } from '../../support/skaffoldServer.ts';
import { row, t } from '../../unit/shell/rows.ts';
import { eventually } from '../demo/support.ts';

/** Channels as VS Code would have them, over a Skaffold that speaks real gRPC. */
async function logs(test: TestContext, faults: ServerFaults = {}) {
  const server = await startSkaffoldServer(faults);
  test.after(() => server.kill());
  const channels = new Map<string, { text: string; shown: number; isDisposed: boolean }>();
  const all = new ApplicationLogs({
    read: readApplicationLog,
    t,
    createChannel: name => {
      const channel = { text: '', shown: 0, isDisposed: false };
      channels.set(name, channel);
      return {
        append: text => void (channel.text += text),
        replace: text => void (channel.text = text),
        show: () => void channel.shown++,
        dispose: () => void (channel.isDisposed = true),
      };
    },
  });
  test.after(() => all.dispose());
  const rowOf = (pod: string): Row => row({ run: `skaffold:${server.port}` }, { pod });
  const has = (name: string, text: string | RegExp) =>
    eventually(`${text} in ${name}`, () => {
      const found = channels.get(name)?.text ?? '';
      return (typeof text === 'string' ? found.includes(text) : text.test(found)) ? found : undefined;
    });
  return { server, channels, all, rowOf, has };
}

test('nobody is asked for a log that nobody wants; what was printed since the iteration began is there, then what comes', async test => {
  const { server, all, rowOf, has } = await logs(test);
  server.prints('web-1', 'web', 'before\n');
  server.prints('web-2', 'web', 'of another\n');
  assert.equal(server.opened.logs, 0);
  await all.show(rowOf('web-1'));
  await has('Breakpod: web (web-1)', 'before\n');
  server.prints('web-1', 'web', 'after\n');
  const text = await has('Breakpod: web (web-1)', 'after\n');
  assert.match(text, /^What web in pod web-1 prints, .*present iteration.*\nbefore\nafter\n$/);
  await all.show(rowOf('web-2'));
  await has('Breakpod: web (web-2)', 'of another\n');
  assert.equal(server.opened.logs, 1);
});

test('what a program prints is text and nothing else', async test => {
  const { server, all, rowOf, has } = await logs(test);
  await all.show(rowOf('web-1'));
  server.prints(
    'web-1',
    'web',
    '\u001b[31mred\u001b[0m \u001b]8;;command:x\u0007link\u001b]8;;\u0007\r\n two\u202e\n\n',
  );
  const text = await has('Breakpod: web (web-1)', 'two');
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  assert.match(text, /\nred link\n two\ufffd\n\n$/);
});

test('the end of Skaffold is said, and a next one at its port is read anew in the same channel', async test => {
  const { server, channels, all, rowOf, has } = await logs(test);
  server.prints('web-1', 'web', 'one\n');
  await all.show(rowOf('web-1'));
  await has('Breakpod: web (web-1)', 'one\n');
  server.endStreams();
  await has('Breakpod: web (web-1)', 'Skaffold tells no more of it.\n');
  await all.show(rowOf('web-1'));
  await has('Breakpod: web (web-1)', /no more of it\.\nWhat web .*\none\n$/);
  assert.equal(channels.size, 1);
  assert.equal(server.opened.logs, 2);
});

test('a Skaffold that is older than its logs', async test => {
  const { all, rowOf, has } = await logs(test, { hasNoLogs: true });
  await all.show(rowOf('web-1'));
  await has('Breakpod: web (web-1)', 'This Skaffold tells of no logs');
});

test('a flood is kept to its last part', async test => {
  const { server, all, rowOf, has } = await logs(test);
  await all.show(rowOf('web-1'));
  for (let n = 0; n < 25_000; n++) server.prints('web-1', 'web', `line ${n}\n`);
  const text = await has('Breakpod: web (web-1)', 'line 24999\n');
  const lines = text.trimEnd().split('\n').slice(1);
  assert.ok(lines.length <= 20_000, `${lines.length} lines`);
  const first = Number(lines[0]!.slice(5));
  assert.deepEqual(
    lines,
    lines.map((_, n) => `line ${first + n}`),
  );
});

test('a container of no Skaffold has no log', async test => {
  const { all } = await logs(test);
  await assert.rejects(all.show(row()), { code: 'log-unknown' });
});
