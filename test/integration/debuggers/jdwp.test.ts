import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import { jdwpReady } from '../../../src/debuggers/readiness/jdwp.ts';
import { forwardTo } from '../../support/directForward.ts';
import { JdwpClient } from '../../support/jdwpClient.ts';
import { freePort, listen } from '../../support/listeners.ts';
import { type Program, start } from '../../support/program.ts';
import { failure } from '../../support/failure.ts';

const SOURCE = `public class App {
  public static void main(String[] args) throws Exception {
    System.out.println("program runs");
    Thread.sleep(600000);
  }
}`;

const dir = mkdtempSync(join(tmpdir(), 'breakpod-'));
after(() => rmSync(dir, { recursive: true, force: true }));
writeFileSync(join(dir, 'App.java'), SOURCE);
const hasJdk = spawnSync('javac', ['-g', '-d', dir, join(dir, 'App.java')]).status === 0;
if (!hasJdk && process.env['CI']) throw new Error('The tests of JDWP need a JDK on PATH.');
const needsJdk = hasJdk ? {} : { skip: 'no JDK on PATH' };

const amply = () => AbortSignal.timeout(60_000);
const soon = () => AbortSignal.timeout(2000);

async function jvm(t: TestContext, suspend: 'y' | 'n', port = 0): Promise<{ java: Program; port: number }> {
  const options = `-agentlib:jdwp=transport=dt_socket,server=y,suspend=${suspend},address=127.0.0.1:${port}`;
  const java = start(t, 'java', [options, '-cp', dir, 'App']);
  const [, listening] = await java.until(/Listening for transport dt_socket at address: (\d+)/);
  return { java, port: Number(listening) };
}

const unharmed = (java: Program) => assert.doesNotMatch(java.output, /handshake failed/);
const VM_START = 90;

test('jdwp: a suspended JVM is started by the debugger alone, which gets the start event', needsJdk, async t => {
  const { java, port } = await jvm(t, 'y');
  const forward = await forwardTo(t, port);
  await jdwpReady(forward, { suspended: true, signal: amply() });
  await new Promise(resolve => setTimeout(resolve, 1500));
  assert.doesNotMatch(java.output, /program runs/, 'the probe starts nothing');

  const client = await JdwpClient.connect(t, forward.localPort);
  const event = await client.packet();
  assert.equal(event.command, '64.100');
  assert.equal(event.data[5], VM_START, 'the event that the JVM had sent to the probe');
  const version = await client.send(1, 1);
  assert.equal(version.error, 0);
  assert.doesNotMatch(java.output, /program runs/);
  assert.equal((await client.send(1, 9)).error, 0);
  await java.until(/program runs/);
  assert.equal(forward.dials, 1, 'the JVM has seen one client');
  unharmed(java);
});

test('jdwp: a running JVM goes on, and its debugger gets the very connection', needsJdk, async t => {
  const { java, port } = await jvm(t, 'n');
  const forward = await forwardTo(t, port);
  await java.until(/program runs/);
  await jdwpReady(forward, { suspended: false, signal: amply() });
  const client = await JdwpClient.connect(t, forward.localPort);
  assert.match((await client.send(1, 1)).data.toString('utf8'), /Java Debug Wire Protocol/);
  assert.equal(forward.dials, 1);
  unharmed(java);
});

test('jdwp: waits while the pod refuses connections', needsJdk, async t => {
  const port = await freePort();
  const forward = await forwardTo(t, port);
  const ready = jdwpReady(forward, { suspended: true, signal: amply() });
  while (forward.dials < 2) await new Promise(resolve => setTimeout(resolve, 20));
  const { java } = await jvm(t, 'y', port);
  await ready;
  assert.doesNotMatch(java.output, /program runs/);
  await JdwpClient.connect(t, forward.localPort);
  unharmed(java);
});

test('jdwp: a JVM that has a debugger already keeps it, and is told', needsJdk, async t => {
  const { java, port } = await jvm(t, 'n');
  const first = await JdwpClient.connect(t, port);
  assert.equal((await first.send(1, 1)).error, 0);
  const forward = await forwardTo(t, port);
  await assert.rejects(
    jdwpReady(forward, { suspended: false, signal: soon() }),
    failure('not-listening', /ECONNREFUSED/, /one debugger at a time/),
  );
  assert.equal((await first.send(1, 1)).error, 0, 'the first debugger goes on');
  unharmed(java);
});

test('jdwp: a local client that is no debugger gets nothing', async t => {
  const port = await listen(t, client => client.once('data', () => client.write('JDWP-Handshake')));
  const forward = await forwardTo(t, port);
  const problem = new Promise<Error>(resolve => forward.onProblem(resolve));
  await jdwpReady(forward, { suspended: false, signal: amply() });
  const client = net.connect(forward.localPort, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\n\r\n'));
  t.after(() => client.destroy());
  assert.match((await problem).message, /no Java debugger/);
});

test('jdwp: what the JVM sends behind its handshake reaches the debugger, also in pieces', async t => {
  const port = await listen(t, client =>
    client.once('data', () => {
      client.write('JDWP-Hand');
      setTimeout(() => client.write('shake\u0001\u0002'), 50);
      setTimeout(() => client.write('\u0003'), 100);
    }),
  );
  const forward = await forwardTo(t, port);
  await jdwpReady(forward, { suspended: false, signal: amply() });
  const client = net.connect(forward.localPort, '127.0.0.1', () => client.write('JDWP-Handshake'));
  t.after(() => client.destroy());
  const expected = 'JDWP-Handshake\u0001\u0002\u0003';
  let seen = '';
  for await (const chunk of client) {
    seen += (chunk as Buffer).toString('latin1');
    if (seen.length >= expected.length) break;
  }
  assert.equal(seen, expected);
});

const strangers: { name: string; onClient: (client: net.Socket) => void; code: string; cause: RegExp }[] = [
  {
    name: 'HTTP',
    onClient: c => c.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    code: 'wrong-protocol',
    cause: /HTTP\/1\.1 400/,
  },
  {
    name: 'an echo of something else',
    onClient: c => c.write('JDWP-Nonsense!'),
    code: 'wrong-protocol',
    cause: /Nonsense/,
  },
  { name: 'a server that closes', onClient: c => c.end(), code: 'listener-closed', cause: /closed/ },
  {
    name: 'a server that resets',
    onClient: c => c.resetAndDestroy(),
    code: 'listener-closed',
    cause: /ECONNRESET|closed/,
  },
  { name: 'a silent server', onClient: () => undefined, code: 'listener-silent', cause: /./ },
];
for (const { name, onClient, code, cause } of strangers)
  test(`jdwp: ${name} is told, and nothing is left open`, async t => {
    const forward = await forwardTo(t, await listen(t, onClient));
    const signal = code === 'listener-silent' ? soon() : amply();
    await assert.rejects(jdwpReady(forward, { signal }), failure(code, cause));
    assert.equal(forward.handedOver.length, 0);
    assert.equal(forward.open, 0);
  });

test('jdwp: a suspended JVM is kept for as long as the forward lives', async t => {
  const port = await listen(t, client => client.once('data', () => client.write('JDWP-Handshake')));
  const forward = await forwardTo(t, port);
  await jdwpReady(forward, { suspended: true, signal: amply() });
  await jdwpReady(forward, { suspended: false, signal: amply() });
  const [suspended, running] = forward.handedOver.map(({ options }) => options.keepMs);
  assert.ok(suspended! > 24 * 3600_000 && suspended! < 2 ** 31);
  assert.equal(running, 60_000);
});
