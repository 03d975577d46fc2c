// Inspectors that are opened while a program runs, in real processes; a container is stood in for by their HOSTNAME.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test, type TestContext } from 'node:test';
import type { ContainerRef, Exec } from '../../../src/core/contracts.ts';
import { type OpenedInspector, openInspector } from '../../../src/debuggers/onDemand/openInspector.ts';
import type { NodeProcess } from '../../../src/debuggers/onDemand/processes.ts';
import { programMissing } from '../../../src/cluster/exec/problems.ts';
import { failure } from '../../support/failure.ts';
import { InspectorClient } from '../../support/inspectorClient.ts';
import { freePort } from '../../../src/lib/freePort.ts';
import { eventually, temporaryDirectory } from '../demo/support.ts';

const at: ContainerRef = { cluster: 'c', namespace: 'shop', pod: 'web', podUid: 'u', container: 'web' };
const skip = process.platform === 'linux' ? false : 'processes are looked for in /proc, which only Linux has';

/** What a container is to programs: a name, a directory, the variables that all of its processes get. */
class Machine implements Exec {
  readonly directory: string;
  readonly commands: (readonly string[])[] = [];
  private readonly host = `host-${process.pid}-${Math.random()}`;
  private readonly test: TestContext;
  private readonly missing: readonly string[];
  private readonly path: string;

  constructor(t: TestContext, { missing = [], path }: { missing?: readonly string[]; path?: string } = {}) {
    this.test = t;
    this.missing = missing;
    this.directory = temporaryDirectory(run => t.after(run));
    this.path = path ?? [dirname(process.execPath), process.env['PATH']].join(':');
  }

  /** Starts a program, and waits until it says that it runs. */
  async start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
    const options = { cwd: this.directory, env: this.env(env), detached: true } as const;
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    this.test.after(() => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL'); // with what it has started
    });
    await once(child.stdout, 'data');
    return child;
  }

  write(file: string, content: string): string {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  async run(ref: ContainerRef, command: readonly string[]) {
    this.commands.push(command);
    const [program = '', ...args] = command;
    if (this.missing.includes(program)) throw programMissing(ref, program, 'executable file not found in $PATH');
    const child = spawn(program, args, { cwd: this.directory, env: this.env({}) });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: Number(child.exitCode), stdout, stderr };
  }

  private env(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { PATH: this.path, HOSTNAME: this.host, ...more };
  }
}

const server = `
  let beats = 0;
  function beat() { beats += 1; globalThis.beats = beats; }
  setInterval(beat, 50);
  console.log('up');
`;

const none = async () => assert.fail('asked although there is one program');

const open = (machine: Machine, pick: (programs: readonly NodeProcess[]) => Promise<NodeProcess | undefined> = none) =>
  openInspector({ exec: machine, at, pick, signal: AbortSignal.timeout(60_000) });

/** Stops the program at a breakpoint, lets it go on, and sees it go on. */
async function debug(t: TestContext, { port }: OpenedInspector): Promise<void> {
  const client = await InspectorClient.open('127.0.0.1', port, t.signal);
  const paused = new Promise<void>(resolve => (client.onPause = isPaused => isPaused && resolve()));
  await client.breakAt('server.js', 'beats += 1');
  await paused;
  client.close();
  await client.closed;
  const again = await InspectorClient.open('127.0.0.1', port, t.signal);
  const beats = async () => {
    const { result } = (await again.ask('Runtime.evaluate', { expression: 'beats' })) as { result: { value: number } };
    return result.value;
  };
  const before = await beats();
  await eventually('the program to go on', async () => (await beats()) > before || undefined);
  again.close();
}

suite('inspector on demand', { skip }, () => {
  const withPort = async () => `--inspect-port=127.0.0.1:${await freePort()}`;

  test('is opened, once, in the only program; it hits a breakpoint and goes on', async t => {
    const machine = new Machine(t);
    const child = await machine.start([await withPort(), machine.write('server.js', server)]);
    const opened = await open(machine);
    assert.deepEqual([opened?.process.pid, opened?.wasOpen], [child.pid, false]);
    await debug(t, opened!);
    const sent = machine.commands.length;
    assert.deepEqual(await open(machine).then(again => [again?.port, again?.wasOpen]), [opened?.port, true]);
    assert.equal(machine.commands.length, sent + 1, 'it was only looked');
    assert.equal(child.exitCode, null);
  });

  test('a launcher is not meant, nor is one that watches; what they start is', async t => {
    const machine = new Machine(t);
    const app = machine.write('server.js', server);
    const port = await freePort();
    const starts = (args: readonly string[]) =>
      `require('child_process').spawn(process.execPath, ${JSON.stringify(args)}, {stdio: 'inherit'});`;
    machine.write('node_modules/nodemon/bin/nodemon.js', starts([`--inspect-port=127.0.0.1:${port}`, app]));
    machine.write(
      'node_modules/npm/bin/npm-cli.js',
      `process.title = 'npm start'; ${starts(['node_modules/nodemon/bin/nodemon.js'])}`,
    );
    await machine.start(['node_modules/npm/bin/npm-cli.js', 'start']);
    const opened = await open(machine);
    assert.deepEqual([opened?.port, opened?.process.command.at(-1)], [port, app]);
  });

  test('of several programs the user picks one, and may pick none', async t => {
    const machine = new Machine(t);
    const app = machine.write('server.js', server);
    const worker = machine.write('worker.js', server);
    await machine.start([await withPort(), app]);
    const second = await machine.start([await withPort(), worker]);
    let offered: readonly string[] = [];
    const opened = await open(machine, async programs => {
      offered = programs.map(({ command }) => command.at(-1)!).toSorted();
      return programs.find(({ pid }) => pid === second.pid);
    });
    assert.deepEqual(offered, [app, worker]);
    assert.equal(opened?.process.pid, second.pid);
    assert.equal(await open(machine, async () => undefined), undefined);
  });

  test('a program that the signal would end is left alone', async t => {
    const machine = new Machine(t);
    const child = await machine.start(['--disable-sigusr1', machine.write('server.js', server)]);
    const cause = /does not catch SIGUSR1 \(SigCgt in \/proc\/\d+\/status\)/;
    await assert.rejects(open(machine), failure('signal-not-caught', cause));
    assert.equal(machine.commands.length, 1, 'it was only looked');
    assert.equal(child.exitCode, null);
  });

  test('a port that somebody else has is said, and nothing is sent', async t => {
    const machine = new Machine(t);
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await machine.start([`--inspect-port=${port}`, machine.write('server.js', server)]);
    await assert.rejects(open(machine), failure('inspector-port-taken', /another process or container/));
    assert.equal(machine.commands.length, 1);
  });

  test('a program with a handler of its own gets the signal once', async t => {
    const machine = new Machine(t);
    const own = `process.on('SIGUSR1', () => console.log('signalled')); ${server}`;
    const child = await machine.start([await withPort(), machine.write('server.js', own)]);
    const heard = text(child.stdout!);
    await assert.rejects(open(machine), failure('inspector-not-opened', /got SIGUSR1, and does not listen/));
    child.kill('SIGTERM');
    assert.equal((await heard).match(/signalled/g)?.length, 1);
  });

  test('a container without a program of Node', async t => {
    const machine = new Machine(t);
    await assert.rejects(open(machine), failure('no-node-process', /./));
  });

  test('variables that change Node are not for our own scripts', async t => {
    const machine = new Machine(t);
    const marker = machine.write(
      'preload.js',
      `require('fs').appendFileSync(${JSON.stringify(join(machine.directory, 'loaded'))}, 'x');`,
    );
    const env = { NODE_OPTIONS: `--require ${marker} ${await withPort()}` };
    await machine.start([machine.write('server.js', server)], env);
    const opened = await open(machine);
    assert.equal(opened?.wasOpen, false);
    assert.ok(opened?.process.options.includes(String(opened.port)), 'where the inspector goes is read from them');
  });

  test('without `env`, and with a Node that is not in the PATH', async t => {
    const withoutEnv = new Machine(t, { missing: ['env'] });
    await withoutEnv.start([await withPort(), withoutEnv.write('server.js', server)]);
    assert.equal((await open(withoutEnv))?.wasOpen, false);
    const elsewhere = new Machine(t, { missing: ['node'], path: '/usr/bin/nowhere:/bin' });
    await elsewhere.start([await withPort(), elsewhere.write('server.js', server)]);
    const opened = await open(elsewhere);
    assert.equal(opened?.wasOpen, false);
    const bare = new Machine(t, { missing: ['env', 'node', '/bin/sh'] });
    await assert.rejects(open(bare), failure('no-node', /There is no program "env"/));
  });
});
