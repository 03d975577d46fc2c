import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import test from 'node:test';
import type { Pod } from '../../src/cluster/pods/pod.ts';
import { eventually } from '../integration/demo/support.ts';
import { type ContractCluster, findPod, isUsable, logIn, type LoginName, podOf, type Workload } from './cluster.ts';
import { ExecClient, NOT_REFUSED, type ExecResult } from './execClient.ts';

const limit = { timeout: 120_000 };

const node = (program: string): readonly string[] => ['node', '-e', program];

/** The exit code that the kubelet has told. */
function exitCodeOf({ status }: ExecResult): number | undefined {
  if (status?.status === 'Success') return 0;
  const cause = status?.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  return cause && Number(cause.message);
}

/** Programs that are run in a container (Kubernetes API, `pods/exec`). A debugger that has no port is reached so. */
export function execContract(cluster: () => ContractCluster): void {
  /** Runs in the first container of a workload. */
  async function inContainer({ of, as = 'admin' }: { of: Workload; as?: LoginName }) {
    const pod = await podOf(await logIn(cluster(), 'admin'), of);
    const client = new ExecClient(cluster(), as);
    return { client, pod, at: { pod, container: of.containers[0]! } };
  }

  test('exec: output and errors come apart, with the exit code, and only what was asked for', limit, async () => {
    const { client, at } = await inContainer({ of: cluster().workloads.flags });
    const program = 'console.log("out"); console.error("err"); process.exitCode = Number(process.argv[1] ?? 0)';
    const good = await client.run({ ...at, command: node(program) });
    assert.deepEqual([good.stdout, good.stderr, exitCodeOf(good)], ['out\n', 'err\n', 0]);
    const bad = await client.run({ ...at, command: [...node(program), '3'] });
    assert.deepEqual([bad.stdout, bad.stderr, exitCodeOf(bad)], ['out\n', 'err\n', 3]);
    assert.equal(bad.status?.reason, 'NonZeroExitCode');
    assert.match(bad.status?.message ?? '', /^command terminated with non-zero exit code: .* exit code 3$/);
    const quiet = await client.run({ ...at, command: node(program), streams: ['stdout'] });
    assert.deepEqual([quiet.stdout, quiet.stderr, exitCodeOf(quiet)], ['out\n', '', 0]);
  });

  test('exec: a program that ends by a signal has the code 128 and more', limit, async () => {
    const { client, at } = await inContainer({ of: cluster().workloads.flags });
    for (const [signal, code] of [
      ['SIGKILL', 137],
      ['SIGTERM', 143],
      ['SIGSEGV', 139],
    ] as const) {
      const result = await client.run({ ...at, command: node(`process.kill(process.pid, "${signal}")`) });
      assert.equal(exitCodeOf(result), code, signal);
    }
  });

  test('exec: input reaches the program, and so does its end', limit, async () => {
    const { client, at } = await inContainer({ of: cluster().workloads.flags });
    const command = node(
      'process.stdin.on("end", () => process.stdout.write(" end")).pipe(process.stdout, {end: false})',
    );
    const text = 'x'.repeat(300_000);
    const long = await client.run({ ...at, command, stdin: Readable.from([Buffer.from(text)]) });
    assert.equal(long.stdout, `${text} end`);
    assert.equal(exitCodeOf(long), 0);
    const none = await client.run({ ...at, command });
    assert.equal(none.stdout, ' end', 'without an input it is at its end');
  });

  test('exec: a dialogue, line by line, until the client ends it', limit, async () => {
    const { client, at } = await inContainer({ of: cluster().workloads.flags });
    const stdin = new PassThrough();
    const heard: string[] = [];
    const command = node('process.stdin.on("data", line => process.stdout.write(`<${String(line).trim()}>`))');
    const result = await client.run({ ...at, command, stdin, started: () => void stdin.write('one\n') }, text => {
      heard.push(text);
      if (heard.length === 1) stdin.write('two\n');
      else stdin.end();
    });
    assert.deepEqual(heard, ['<one>', '<two>']);
    assert.equal(exitCodeOf(result), 0);
  });

  test('exec: a program that is not there is said', limit, async () => {
    const { client, at } = await inContainer({ of: cluster().workloads.flags });
    for (const [command, why] of [
      [['no-such-program'], /exec: "no-such-program": executable file not found in \$PATH/],
      [['/no/such/program'], /exec: "\/no\/such\/program": stat \/no\/such\/program: no such file or directory/],
      [[], /args must not be empty/],
    ] as const) {
      const { status, ...said } = await client.run({ ...at, command });
      assert.deepEqual(said, { stdout: '', stderr: '' });
      assert.deepEqual([status?.status, status?.reason, status?.code], ['Failure', 'InternalError', 500]);
      assert.match(status?.message ?? '', /^Internal error occurred: .*failed to exec in container: /);
      assert.match(status?.message ?? '', why);
    }
  });

  test('exec: what is refused before it begins is refused in words', limit, async () => {
    const { pair } = cluster().workloads;
    const { client, pod, at } = await inContainer({ of: pair });
    const command = ['true'];
    const cases = [
      { call: { ...at, container: 'nobody' }, status: 400, words: /^container nobody is not valid for pod / },
      {
        call: { ...at, container: '' },
        status: 400,
        words: /^a container name must be specified for pod \S+, choose one of: \[/,
      },
      { call: { ...at, streams: [] }, status: 400, words: /^you must specify at least 1 of stdin, stdout, stderr$/ },
      { call: { ...at, pod: { ...pod, pod: 'nobody' } }, status: 404, words: /^pods "nobody" not found$/ },
    ];
    for (const { call, status, words } of cases) {
      const error = await client.refusal({ ...call, command });
      assert.equal(error.status, status, error.message);
      assert.match(error.message, words);
    }
  });

  test('exec: without the right the refusal names it', limit, async () => {
    for (const as of ['developer', 'viewer'] as const) {
      const { client, pod, at } = await inContainer({ of: cluster().workloads.web, as });
      const error = await client.refusal({ ...at, command: ['true'] });
      assert.deepEqual([error.status, error.reason], [403, 'Forbidden']);
      const words =
        /^pods "(\S+)" is forbidden: User "\S+" cannot get resource "pods\/exec" in API group "" in the namespace "shop"$/;
      assert.equal(words.exec(error.message)?.[1], pod.pod, error.message);
    }
  });

  test('exec: a container that ends takes the program with it', limit, async () => {
    const { web } = cluster().workloads;
    const { client, pod, at } = await inContainer({ of: web });
    const login = await logIn(cluster(), 'admin');
    const idIn = ({ status }: Pod) => status?.containerStatuses?.find(({ name }) => name === at.container)?.containerID;
    let before: string | undefined;
    await findPod(login, web, one => one.metadata?.uid === pod.podUid && (before = idIn(one)) !== undefined);
    let restarting: Promise<unknown> | undefined;
    const command = node('console.log("here"); setInterval(() => undefined, 1000)');
    const result = await client.run({ ...at, command }, () => {
      restarting ??= cluster().restartContainer(pod, at.container);
    });
    await restarting;
    assert.equal(result.stdout, 'here\n');
    assert.equal(exitCodeOf(result), 137);
    // The kubelet tells of it later; until then the pod looks ready to those who come next.
    await findPod(login, web, one => isUsable(one) && idIn(one) !== before);
  });

  test('exec: a container that does not run takes no program', limit, async () => {
    const { crash } = cluster().workloads;
    const pod = await findPod(await logIn(cluster(), 'admin'), crash, () => true);
    const call = { pod, container: crash.containers[0]!, command: ['true'] };
    const client = new ExecClient(cluster(), 'admin');
    const error = await eventually('the time between two runs', () =>
      client.refusal(call).catch((reason: Error) => {
        if (reason.message === NOT_REFUSED) return undefined;
        throw reason;
      }),
    );
    assert.equal(error.status, 500);
    assert.equal(error.message, `container not found ("${call.container}")`);
  });
}
