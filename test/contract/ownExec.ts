import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { ClusterExec, EXEC_TRANSPORTS, type ExecTransport } from '../../src/cluster/exec/clusterExec.ts';
import { openForwards } from '../../src/cluster/forward/openForwards.ts';
import type { ContainerRef } from '../../src/core/contracts.ts';
import { UserError } from '../../src/core/errors.ts';
import { followId } from '../../src/core/identity.ts';
import { eventually } from '../integration/demo/support.ts';
import { failure } from '../support/failure.ts';
import { type ContractCluster, findPod, logIn, type LoginName, podOf } from './cluster.ts';

const limit = { timeout: 120_000 };
const limitMs = 60_000;

const node = (program: string): readonly string[] => ['node', '-e', program];

/** Breakpod's own way to run programs in containers, over each transport. */
export function ownExecContract(cluster: () => ContractCluster): void {
  const execOf = async (as: LoginName, transports: readonly ExecTransport[] = EXEC_TRANSPORTS) => {
    const { access } = await logIn(cluster(), as);
    return new ClusterExec({ accessOf: () => access, transports });
  };
  async function container(): Promise<ContainerRef> {
    const { flags } = cluster().workloads;
    return { ...(await podOf(await logIn(cluster(), 'admin'), flags)), container: flags.containers[0]! };
  }
  const run = (exec: ClusterExec, at: ContainerRef, command: readonly string[], ms = limitMs) =>
    exec.run(at, command, { signal: AbortSignal.timeout(limitMs), limitMs: ms });

  for (const transport of EXEC_TRANSPORTS) {
    test(`own exec: output, errors and exit code over ${transport}`, limit, async () => {
      const exec = await execOf('admin', [transport]);
      const at = await container();
      const program = 'console.log("o".repeat(300000)); console.error("err"); process.exitCode = 3';
      assert.deepEqual(await run(exec, at, node(program)), {
        code: 3,
        stdout: `${'o'.repeat(300_000)}\n`,
        stderr: 'err\n',
      });
      assert.deepEqual(await run(exec, at, node('')), { code: 0, stdout: '', stderr: '' });
    });

    test(`own exec: a program that is not there is said over ${transport}`, limit, async () => {
      const exec = await execOf('admin', [transport]);
      const at = await container();
      for (const program of ['no-such-program', '/no/such/program']) {
        const missing = failure('exec-no-program', /no such file or directory|not found in \$PATH/);
        await assert.rejects(run(exec, at, [program]), missing);
      }
    });

    test(`own exec: a dialogue over ${transport}`, limit, async () => {
      const exec = await execOf('admin', [transport]);
      const at = await container();
      const program =
        'process.stdin.on("data", text => { process.stdout.write(`<${String(text).trim()}>`); process.exit(0) })';
      const channel = await exec.start(
        at,
        { container: at.container, command: node(program), stdin: true },
        AbortSignal.timeout(limitMs),
      );
      channel.stdin!.write('one\n');
      const output = text(channel.stdout).catch(() => ''); // its connection may end first
      const [heard] = (await once(channel.stdout, 'data')) as [Buffer | string];
      assert.equal(String(heard), '<one>');
      assert.match(await channel.outcome, /Success/);
      channel.close();
      await output;
    });
  }

  test('own exec: without the right the refusal names it, with the words of the server', limit, async () => {
    const words = /pods "\S+" is forbidden: User "\S+" cannot create resource "pods\/exec"/;
    await assert.rejects(
      run(await execOf('developer'), await container(), ['true']),
      failure('exec-forbidden', words, /verbs: \["create"\]/),
    );
  });

  test('own exec: what takes too long, or writes too much, is ended', limit, async () => {
    const [exec, at] = [await execOf('admin'), await container()];
    await assert.rejects(
      run(exec, at, node('setTimeout(() => undefined, 20000)'), 3000),
      failure('exec-timed-out', /./),
    );
    await assert.rejects(
      run(exec, at, node('process.stdout.write("x".repeat(5 << 20))')),
      failure('exec-too-much', /./),
    );
    const stop = new AbortController();
    const stopped = exec.run(at, node('setTimeout(() => undefined, 20000)'), { signal: stop.signal, limitMs });
    stop.abort(new Error('given up'));
    await assert.rejects(stopped, /given up/);
  });

  test('own exec: a pod that is gone, and a container that does not run', limit, async () => {
    const exec = await execOf('admin');
    await assert.rejects(
      run(exec, { ...(await container()), pod: 'nobody' }, ['true']),
      failure('pod-gone', /not found/),
    );
    const { crash } = cluster().workloads;
    const pod = await findPod(await logIn(cluster(), 'admin'), crash, () => true);
    const waiting = await eventually('the time between two runs', async () => {
      const result = await run(exec, { ...pod, container: crash.containers[0]! }, node('')).catch((e: unknown) => e);
      return result instanceof UserError && result.code === 'exec-not-running' ? result : undefined;
    });
    assert.match(String(waiting.cause), /container not found|not running/i);
  });

  async function insideForward(t: TestContext, command: readonly string[]) {
    const { access } = await logIn(cluster(), 'admin');
    const { container: name, ...pod } = await container();
    const forwards = openForwards({ accessOf: () => access });
    t.after(() => forwards.dispose());
    const follow = followId({ ...pod, container: name }, 'inside');
    const inside = { container: name, command };
    return forwards.open({ pod, port: 0, follow, inside }, AbortSignal.timeout(limitMs));
  }

  test(
    'own exec: a program in a container answers at a local port, one for each connection, and ends with it',
    limit,
    async t => {
      const program = 'process.stdin.on("data", text => process.stdout.write(`${process.pid} <${text}>`))';
      const { localPort } = await insideForward(t, node(program));
      const answers = await Promise.all(
        ['one', 'two'].map(async word => {
          const socket = connect(localPort, '127.0.0.1');
          t.after(() => socket.destroy());
          socket.write(word);
          return String((await once(socket, 'data'))[0]);
        }),
      );
      assert.deepEqual(
        answers.map(answer => answer.replace(/^\d+ /, '')),
        ['<one>', '<two>'],
      );
      assert.equal(new Set(answers.map(answer => answer.split(' ')[0])).size, 2);
    },
  );

  test(
    'own exec: a program that is not there, or ends at once, is told as the problem of its local port',
    limit,
    async t => {
      for (const [command, words] of [
        [['/no/such/program'], /no such file|not found/],
        [node('console.error("licence"); process.exit(1)'), /licence/],
      ] as const) {
        const forward = await insideForward(t, command);
        const problem = new Promise<Error>(resolve => forward.onProblem(resolve));
        const socket = connect(forward.localPort, '127.0.0.1');
        socket.on('error', () => undefined); // reset, as by a port that nobody listens on
        t.after(() => socket.destroy());
        socket.resume();
        assert.match((await problem).message, words);
      }
    },
  );
}
