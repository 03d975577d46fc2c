import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { before, suite, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Demo } from '../../../src/demo/demo.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { afterSuite, demoFor, eventually } from './support.ts';

const run = promisify(execFile);
const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);
const skip = !hasKubectl && !process.env['CI'] ? 'no kubectl on PATH' : false;

suite('kubectl on the demo cluster', { skip }, () => {
  const cleanUp = afterSuite();
  let demo: Demo;

  before(async () => {
    const names = ['web', 'api', 'reports', 'crash', 'cleanup'];
    demo = await demoFor(cleanUp, {
      workloads: WORKLOADS.filter(({ name }) => names.includes(name)),
      traffic: true,
      backoff: { firstMs: 60_000, mostMs: 60_000 },
    });
    await eventually(
      'web, api and reports to be ready',
      async () =>
        (await kubectl('get', 'pods', '-A')).match(/(web|api|reports)-\S+ +(\d)\/\2 +Running/g)?.length === 3 ||
        undefined,
    );
  });

  const environment = () => ({ ...process.env, KUBECONFIG: demo.kubeconfigFile });
  const kubectl = async (...args: string[]) => (await run('kubectl', args, { env: environment() })).stdout;
  /** The words on standard error and the exit code of a kubectl that fails. */
  const failing = async (...args: string[]) => {
    const error = await kubectl(...args).then(
      () => assert.fail(`kubectl ${args.join(' ')} succeeded`),
      (reason: unknown) => reason as { stderr: string; code: number },
    );
    return { code: error.code, text: error.stderr };
  };
  const nameOf = async (app: string, namespace = 'shop') =>
    (await kubectl('get', 'pods', '-n', namespace, '-l', `app=${app}`, '-o', 'name')).trim().replace('pod/', '');

  /** A kubectl that runs until the test is over. */
  function running(t: TestContext, ...args: string[]): { child: ChildProcess; lines: string[] } {
    const child = spawn('kubectl', args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise(resolve => child.once('close', resolve));
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', line => lines.push(line));
    t.after(async () => {
      child.kill();
      await exited;
    });
    return { child, lines };
  }

  test('get pods -A prints its columns', async () => {
    const [head, ...rows] = (await kubectl('get', 'pods', '-A'))
      .trim()
      .split('\n')
      .map(line => line.split(/ {2,}/));
    assert.deepEqual(head, ['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE']);
    const states = rows.map(([, name, ready, status]) => `${name!.split('-')[0]} ${ready} ${status}`);
    assert.ok(states.includes('web 1/1 Running') && states.includes('reports 2/2 Running'), states.join(', '));
  });

  test('a crash loop and a job that has ended look as they do elsewhere', async () => {
    await eventually('Error and Completed', async () => {
      const rows = await kubectl('get', 'pods', '-A');
      return (
        (/crash-\S+ +0\/1 +Error +\d \(\S+ ago\)/.test(rows) && /cleanup-\S+ +0\/1 +Completed/.test(rows)) || undefined
      );
    });
  });

  test('pages, selectors, JSON', async () => {
    const all = await kubectl('get', 'pods', '-A', '-o', 'name');
    assert.equal(await kubectl('get', 'pods', '-A', '-o', 'name', '--chunk-size=1'), all);
    const web = JSON.parse(await kubectl('get', 'pods', '-l', 'app=web', '-o', 'json')) as {
      items: { kind: string }[];
    };
    assert.deepEqual(
      web.items.map(({ kind }) => kind),
      ['Pod'],
    );
    assert.match(await kubectl('describe', 'pod', await nameOf('web')), /Controlled By: +ReplicaSet\/web-/);
    assert.match(await kubectl('get', 'ns'), /shop +Active/);
  });

  test('get pods -w sees a deletion and the successor', async t => {
    const rows = running(t, 'get', 'pods', '-w');
    const json = running(t, 'get', 'pods', '-w', '-o', 'json', '--output-watch-events');
    const before = await nameOf('web');
    await eventually(
      'both watches',
      () => (rows.lines.some(line => line.includes(before)) && json.lines.join('').includes(before)) || undefined,
    );
    assert.match(await kubectl('delete', 'pod', before), /deleted/);
    const after = await nameOf('web');
    assert.notEqual(after, before);
    await eventually(
      'the successor',
      () => rows.lines.some(line => line.startsWith(after) && line.includes('1/1')) || undefined,
    );
    assert.ok(rows.lines.some(line => line.startsWith(before) && line.includes('Terminating')));
    await eventually('DELETED', () => json.lines.some(line => line.includes('"DELETED"')) || undefined);
  });

  test('logs, and logs -f', async t => {
    const web = await nameOf('web');
    await eventually('a purchase', async () => /sold so far/.test(await kubectl('logs', web)) || undefined);
    assert.equal((await kubectl('logs', web, '--tail=1')).trim().split('\n').length, 1);
    assert.match(await kubectl('logs', web, '--timestamps', '--tail=1'), /^\d{4}-\d\d-\d\dT[\d:.]+Z \d/);
    const { lines } = running(t, 'logs', '-f', '--tail=1', web);
    await eventually('further purchases', () => lines.length >= 3 || undefined);
    const reports = await nameOf('reports', 'backoffice');
    assert.match(await kubectl('logs', '-n', 'backoffice', reports, '-c', 'worker', '--tail=1'), /piece \d+ done/);
    const crash = await nameOf('crash', 'backoffice');
    await eventually(
      'a crash',
      async () =>
        /settings\.json is missing/.test(
          await kubectl('logs', '-n', 'backoffice', crash, '--previous').catch(() => ''),
        ) || undefined,
    );
  });

  test('exec: output, exit code, input, no program', async () => {
    const web = await nameOf('web');
    const node = ['exec', web, '--', 'node', '-e'];
    assert.equal(await kubectl(...node, 'console.log(process.env.HOSTNAME)'), `${web}\n`);
    const ended = await failing(...node, 'console.error("bad"); process.exit(3)');
    assert.equal(ended.code, 3);
    assert.match(ended.text, /bad\n/);
    assert.match((await failing('exec', web, '--', 'no-such-program')).text, /executable file not found in \$PATH/);
    const child = spawn('kubectl', ['exec', '-i', web, '--', 'node', '-e', 'process.stdin.pipe(process.stdout)'], {
      env: environment(),
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    const text = 'x'.repeat(300_000);
    child.stdin.end(text);
    await new Promise(resolve => child.once('close', resolve));
    assert.ok(Buffer.concat(output).toString() === text, 'all of it comes back');
  });

  test('port-forward reaches the inspector by the container’s port, and nothing on a port without listener', async t => {
    const web = await nameOf('web');
    const forward = running(t, 'port-forward', `pod/${web}`, ':9229');
    const port = await eventually(
      'the local port',
      () => /127\.0\.0\.1:(\d+) -> 9229/.exec(forward.lines.join('\n'))?.[1],
    );
    const targets = JSON.parse((await fetched(`http://127.0.0.1:${port}/json/list`)) ?? '[]') as { url: string }[];
    assert.match(targets[0]?.url ?? '', /web-1\/app\/dist\/server\.js$/);

    const nothing = running(t, 'port-forward', `pod/${web}`, ':9999');
    const other = await eventually(
      'the local port',
      () => /127\.0\.0\.1:(\d+) -> 9999/.exec(nothing.lines.join('\n'))?.[1],
    );
    assert.equal(await fetched(`http://127.0.0.1:${other}/`), undefined);
    await eventually('the reason', () => nothing.lines.some(line => /connection refused/.test(line)) || undefined);
  });

  test('rights: auth can-i, and the refusals of lesser users', async () => {
    const mayForward = ['auth', 'can-i', 'create', 'pods', '--subresource=portforward'];
    assert.equal((await kubectl(...mayForward)).trim(), 'yes');
    assert.equal((await kubectl(...mayForward, '--context=breakpod-demo-shop')).trim(), 'yes');
    assert.equal((await failing(...mayForward, '--context=breakpod-demo-viewer')).code, 1);
    assert.match(await kubectl('get', 'pods', '-A', '--context=breakpod-demo-viewer'), /web-/);
    const refused = await failing('get', 'pods', '-A', '--context=breakpod-demo-shop');
    assert.match(
      refused.text,
      /User "breakpod-demo-shop" cannot list resource "pods" in API group "" at the cluster scope/,
    );
  });

  test('the least rights are enough to forward', async t => {
    const forward = running(t, 'port-forward', '--context=breakpod-demo-shop', `pod/${await nameOf('api')}`, ':9229');
    const port = await eventually(
      'the local port',
      () => /127\.0\.0\.1:(\d+) -> 9229/.exec(forward.lines.join('\n'))?.[1],
    );
    assert.match((await fetched(`http://127.0.0.1:${port}/json/version`)) ?? '', /node\.js/);
  });
});

/** The body of an answer, `undefined` when the connection fails. */
const fetched = (url: string): Promise<string | undefined> =>
  new Promise(resolve => {
    const request = get(url, { agent: false }, response => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.once('end', () => resolve(body));
      response.once('error', () => resolve(undefined));
    });
    request.once('error', () => resolve(undefined));
  });
