import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually, isAlive, temporaryDirectory } from './support.ts';

const entrance = fileURLToPath(new URL('../../../src/demo/main.ts', import.meta.url));

interface Line {
  readonly ok?: boolean;
  readonly error?: string;
  readonly containerID?: string;
  readonly pod?: string;
  readonly kubeconfig?: string;
  readonly workspace?: string;
  readonly server?: string;
}

/** The demo as a process, and a way to talk to it. */
class DemoProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  private readonly lines: AsyncIterator<string>;

  constructor(t: TestContext, ...args: string[]) {
    this.child = spawn(process.execPath, [entrance, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.exited = new Promise(resolve => this.child.once('close', resolve));
    this.lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
    t.after(async () => {
      this.child.kill('SIGKILL');
      await this.exited;
    });
  }

  async next(): Promise<Line> {
    const line = await this.lines.next();
    assert.ok(line.done !== true, 'the demo has ended');
    return JSON.parse(line.value) as Line;
  }

  async command(line: string): Promise<Line> {
    this.child.stdin!.write(`${line}\n`);
    return this.next();
  }
}

suite('the demo as a process', () => {
  test('answers its commands, and leaves nothing when it quits', async t => {
    const demo = new DemoProcess(t, '--java', 'off', '--traffic');
    const { kubeconfig, workspace, server } = await demo.next();
    assert.ok(existsSync(kubeconfig!) && existsSync(`${workspace}/web/src/server.ts`));
    assert.match(server!, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.match((await demo.command('restart shop/web web')).containerID!, /^containerd:/);
    assert.match((await demo.command('replace shop/web')).pod!, /^web-/);
    assert.match((await demo.command('rollout shop/web')).pod!, /^web-/);
    assert.equal((await demo.command('api stop')).ok, true);
    assert.equal(await accepts(server!), false);
    assert.equal((await demo.command('api start')).ok, true);
    assert.equal(await accepts(server!), true);
    assert.match((await demo.command('dance')).error!, /There is no command dance/);
    assert.match((await demo.command('restart shop/x x')).error!, /no pod shop\/x/);
    assert.equal((await demo.command('quit')).ok, true);
    assert.equal(await demo.exited, 0);
    assert.equal(existsSync(kubeconfig!), false);
  });

  test('ends with its standard input', async t => {
    const demo = new DemoProcess(
      t,
      '--dir',
      temporaryDirectory(run => t.after(run)),
      '--java',
      'off',
    );
    const { server } = await demo.next();
    demo.child.stdin!.end();
    assert.equal(await demo.exited, 0);
    assert.equal(await accepts(server!), false);
  });

  test('its containers end even when it is killed', async t => {
    if (process.platform !== 'linux') return t.skip('needs /proc');
    const demo = new DemoProcess(
      t,
      '--dir',
      temporaryDirectory(run => t.after(run)),
      '--java',
      'off',
    );
    await demo.next();
    // One that is just being started is not known to its guard yet: all have to be there.
    const containers = await eventually('containers', async () => {
      const found = childrenOf(demo.child.pid!);
      await delay(500);
      return found.length >= 5 && childrenOf(demo.child.pid!).length === found.length ? found : undefined;
    });
    demo.child.kill('SIGKILL');
    await demo.exited;
    for (const pid of containers) await eventually(`the end of ${pid}`, async () => !(await isAlive(pid)) || undefined);
  });

  test('says how it is used', async t => {
    const demo = new DemoProcess(t, '--java', 'perhaps');
    assert.equal(await demo.exited, 1);
  });
});

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => parentOf(pid) === parent);

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined; // it has just ended
  }
}

const accepts = (url: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
