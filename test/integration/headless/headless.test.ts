import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { after, before } from 'node:test';
import { type Demo, startDemo } from '../../../src/demo/demo.ts';
import { headlessMain, linesOf, runHeadless } from '../../support/headless.ts';
import { start } from '../../support/program.ts';

const sources = path.join(import.meta.dirname, '../../../media/demo');

let directory: string;
let demo: Demo;

/** Node calls "after" before "before" has ended, when no test has the name that was asked for. */
let starting: Promise<Demo> | undefined;

async function begin(): Promise<Demo> {
  directory = await mkdtemp(path.join(tmpdir(), 'breakpod-headless-'));
  return startDemo({ directory, sources, java: 'off', backoff: { firstMs: 200, mostMs: 1000 } });
}

before(async () => {
  starting = begin();
  demo = await starting;
});

after(async () => {
  await (await starting)?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The pod that runs now: other tests replace it. */
function nameOfWeb(): string {
  const pods = demo.store.snapshot().map(({ pod: { metadata } }) => metadata);
  return pods.find(({ name, deletionTimestamp }) => name.startsWith('web-') && !deletionTimestamp)!.name;
}

const onDemo = () => ['--kubeconfig', demo.kubeconfigFile];

const pod = (name: string, command: string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec: { containers: [{ name: 'web', image: 'web', command }] },
});

test('detect: a List on stdin, one line a container', async () => {
  const list = { kind: 'List', items: [pod('a', ['node', '--inspect=0.0.0.0:9230', 'x.js']), pod('b', ['nginx'])] };
  const { code, lines } = await runHeadless(['detect'], JSON.stringify(list));
  assert.equal(code, 0);
  assert.deepEqual(
    lines.map(({ pod: name, runtime, port, verdict }) => ({ name, runtime, port, verdict })),
    [
      { name: 'a', runtime: 'nodejs', port: 9230, verdict: 'live' },
      { name: 'b', runtime: null, port: null, verdict: 'not-debuggable' },
    ],
  );
});

test('detect: YAML documents in a file', async () => {
  const file = path.join(directory, 'pods.yaml');
  const document = (name: string) => `kind: Pod
metadata: { name: ${name}, namespace: shop }
spec:
  containers:
    - name: web
      env: [{ name: JAVA_TOOL_OPTIONS, value: "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=*:5005" }]
`;
  await writeFile(file, [document('a'), document('b')].join('---\n'));
  const { lines } = await runHeadless(['detect', file]);
  assert.deepEqual(
    lines.map(l => [l['pod'], l['runtime'], l['port'], l['verdict']]),
    [
      ['a', 'jvm', 5005, 'suspended'],
      ['b', 'jvm', 5005, 'suspended'],
    ],
  );
});

test('detect: what is no pod is said on stderr, once for each kind', async () => {
  const documents = [pod('a', ['node', '--inspect', 'x.js']), { kind: 'Deployment' }, { kind: 'Deployment' }, { x: 1 }];
  const { code, lines, stderr } = await runHeadless(['detect'], JSON.stringify({ kind: 'List', items: documents }));
  assert.equal(code, 0);
  assert.equal(lines.length, 1);
  const [deployments, unnamed, ...more] = stderr.trim().split('\n');
  assert.match(deployments!, /^Left out: 2 Deployment\. /);
  assert.match(unnamed!, /^Left out: 1 object without a kind\. /);
  assert.deepEqual(more, []);
});

test('detect: an interrupt ends it while it waits for stdin', { timeout: 30_000 }, async t => {
  const script = `
    const [{ main }, { processOutput }] = await Promise.all([import(${url('main')}), import(${url('output')})]);
    process.exitCode = await main(['detect'], processOutput, AbortSignal.timeout(200));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  assert.match(await text(child.stderr), /Interrupted while reading stdin/);
});

const url = (name: string) => JSON.stringify(new URL(`../../../src/headless/${name}.ts`, import.meta.url).href);

test('detect: an array, and a list of something else whose items have no kind', async () => {
  const { kind: _kind, ...bare } = pod('a', ['node', '--inspect', 'x.js']);
  assert.equal((await runHeadless(['detect'], JSON.stringify([bare]))).lines.length, 1);
  const { code, stderr } = await runHeadless(['detect'], JSON.stringify({ kind: 'DeploymentList', items: [bare] }));
  assert.equal(code, 1);
  assert.match(stderr, /it holds 1 Deployment/);
});

const wrong: { name: string; args: string[]; input?: string; code: number; says: RegExp }[] = [
  { name: 'no command', args: [], code: 2, says: /no command given/ },
  { name: 'an unknown command', args: ['hover'], code: 2, says: /no command "hover"/ },
  { name: 'an unknown option', args: ['watch', '--fast'], code: 2, says: /--fast/ },
  { name: 'a port that is none', args: ['forward', '--pod', 'p', '--port', '70000'], code: 2, says: /--port takes/ },
  { name: 'no pod named', args: ['config'], code: 2, says: /--pod is missing/ },
  {
    name: 'a workspace that is none',
    args: ['config', '--pod', 'p', '--workspace', '/no/such/dir'],
    code: 2,
    says: /takes a folder/,
  },
  { name: 'a file that is not there', args: ['detect', '/no/such/file'], code: 1, says: /cannot be read/ },
  { name: 'no YAML', args: ['detect'], input: '{"a": [', code: 1, says: /stdin is no YAML or JSON/ },
  { name: 'no pod in it', args: ['detect'], input: 'kind: Service', code: 1, says: /holds no pod/ },
  {
    name: 'no pod, but others',
    args: ['detect'],
    input: '[{kind: Deployment, spec: {}}, {kind: Service}, {kind: Deployment}, 7]',
    code: 1,
    says: /holds no pod\. \(it holds 2 Deployment, 1 Service, 1 value that is no object\)/,
  },
  { name: 'a namespace that is none', args: ['watch', '--namespace', '../x'], code: 2, says: /--namespace takes/ },
  { name: 'an empty namespace', args: ['watch', '--namespace', ''], code: 2, says: /--namespace takes/ },
  { name: 'a time that is none', args: ['watch', '--for=-1'], code: 2, says: /--for takes/ },
  { name: 'a time beyond all timers', args: ['watch', '--for', '3000000'], code: 2, says: /--for takes/ },
  { name: 'no kubeconfig', args: ['watch', '--kubeconfig', '/no/such/file'], code: 1, says: /\/no\/such\/file/ },
];

for (const { name, args, input, code, says } of wrong)
  test(`exit code ${code}: ${name}`, async () => {
    const outcome = await runHeadless(args, input);
    assert.equal(outcome.code, code);
    assert.match(outcome.stderr, says);
    assert.deepEqual(outcome.lines, []);
  });

test('exit code 1: no such context, and the ones that are there', async () => {
  const { code, stderr } = await runHeadless(['watch', ...onDemo(), '--context', 'nowhere']);
  assert.equal(code, 1);
  assert.match(stderr, /nowhere/);
});

test('watch: rows, events, a replaced pod, and the end by SIGINT', async t => {
  const program = start(t, process.execPath, [headlessMain, 'watch', ...onDemo(), '--namespace', 'shop']);
  await program.until(/"state":"watching"/);
  const [before] = rows(program.output, 'web');
  assert.equal(before?.['state'], 'ready');
  assert.equal(before?.['port'], 9229);
  const successor = await demo.replace('shop', 'web');
  await program.until(new RegExp(`started pod/${successor}:web \\(shop\\)`));
  await program.until(/"gone":\{"namespace":"shop","pod":"web-/);
  program.process.kill('SIGINT');
  const code = await new Promise(resolve => program.process.once('close', resolve));
  assert.equal(code, 0);
  const entries = linesOf(program.output).flatMap(line => (line['event'] ? [line['entry']] : []));
  const old = String(before?.['pod']);
  for (const name of [old, successor])
    assert.equal(entries.filter(entry => entry === `Debuggable container started pod/${name}:web (shop)`).length, 1);
  assert.equal(entries.filter(entry => entry === `Debuggable container terminated pod/${old}:web (shop)`).length, 1);
});

test('watch: --for ends it', async () => {
  const { code } = await runHeadless(['watch', ...onDemo(), '--for', '0.1']);
  assert.equal(code, 0);
});

test('watch: all namespaces by *', async t => {
  const program = start(t, process.execPath, [headlessMain, 'watch', ...onDemo(), '--namespace', '*']);
  await program.until(/"row":\{[^\n]*"namespace":"backoffice"/);
  await program.until(/"row":\{[^\n]*"namespace":"shop"/);
});

test('forward: the inspector answers at the local port', async t => {
  const name = nameOfWeb();
  const args = ['forward', ...onDemo(), '--namespace', 'shop', '--pod', name, '--port', '9229'];
  const program = start(t, process.execPath, [headlessMain, ...args]);
  const port = Number((await program.until(/"local":(\d+)/))[1]);
  assert.equal(await program.until(/"transport":"(\w+)"/).then(found => found[1]), 'spdy');
  const targets = await get(port, '/json/list');
  assert.match(targets, /dist\/server\.js/);
});

test('forward: says what the pod says', async t => {
  const name = nameOfWeb();
  const args = ['forward', ...onDemo(), '--namespace', 'shop', '--pod', name, '--port', '9999'];
  const program = start(t, process.execPath, [headlessMain, ...args]);
  const port = Number((await program.until(/"local":(\d+)/))[1]);
  await assert.rejects(get(port, '/'));
  await program.until(/"error":".*connection refused/);
});

test('config: what a click would start, and where the paths come from', async () => {
  const name = nameOfWeb();
  const args = ['config', ...onDemo(), '--namespace', 'shop', '--pod', name, '--workspace', demo.workspace];
  const { code, lines } = await runHeadless(args);
  assert.equal(code, 0);
  const [{ configuration, paths } = {}] = lines as { configuration: Record<string, unknown>; paths: string[] }[];
  assert.equal(configuration?.['type'], 'node');
  assert.equal(configuration?.['address'], '127.0.0.1');
  assert.equal(configuration?.['autoAttachChildProcesses'], false);
  assert.equal(configuration?.['localRoot'], path.join(demo.workspace, 'web'));
  assert.ok(paths && paths.length > 0);
});

test('config: a pod that is not there', async () => {
  const { code, stderr } = await runHeadless(['config', ...onDemo(), '--namespace', 'shop', '--pod', 'web-0000']);
  assert.equal(code, 1);
  assert.match(stderr, /There is no pod "web-0000" in the namespace "shop"/);
});

test('forward: a local port that is taken is not silently another one', async t => {
  const server = http.createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const args = ['forward', ...onDemo(), '--namespace', 'shop', '--pod', nameOfWeb(), '--port', '9229'];
  const { code, stderr, lines } = await runHeadless([...args, '--local', String(port)]);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`local port ${port} cannot be used`));
  assert.deepEqual(lines, []);
});

test('config: from a file; a container that no debugger can attach to says why', async () => {
  const file = path.join(directory, 'pod.json');
  await writeFile(
    file,
    JSON.stringify(pod('p', ['python', '-m', 'pydevd', '--server', '--port', '5678', '--file', 'a'])),
  );
  const { code, lines } = await runHeadless(['config', '--from', file, '--pod', 'p']);
  assert.equal(code, 0);
  assert.equal(lines[0]?.['configuration'], null);
  assert.match(String(lines[0]?.['reason']), /pydevd/);
});

function rows(output: string, container: string) {
  const complete = output.slice(0, output.lastIndexOf('\n'));
  const all = linesOf(complete).flatMap(({ row }) => (row ? [row as Record<string, unknown>] : []));
  return all.filter(row => row['container'] === container);
}

function get(port: number, at: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: at, agent: false }, response => resolve(text(response)))
      .on('error', reject);
  });
}

const okOf = (line: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries((line['steps'] as { name: string; ok: unknown }[]).map(({ name, ok }) => [name, ok]));

test('explain: the forward and the listener of a running program are really tried', async () => {
  const { code, stderr, lines } = await runHeadless([
    'explain',
    ...onDemo(),
    '--namespace',
    'shop',
    '--pod',
    nameOfWeb(),
  ]);
  assert.equal(code, 0, stderr);
  const { evidence, pod: runs, port, forward, listener, session } = okOf(lines[0]);
  assert.deepEqual(
    { evidence, runs, port, forward, listener, session },
    { evidence: true, runs: true, port: true, forward: true, listener: true, session: 'unknown' },
  );
});

test('explain: what no debugger can be attached to, in a file', async () => {
  const file = path.join(directory, 'explain.json');
  await writeFile(file, JSON.stringify(pod('plain', ['nginx'])));
  const { code, lines } = await runHeadless(['explain', '--from', file, '--pod', 'plain', '--container', 'web']);
  assert.equal(code, 0);
  const { evidence, port, forward, listener } = okOf(lines[0]);
  assert.deepEqual(
    { evidence, port, forward, listener },
    { evidence: false, port: false, forward: 'unknown', listener: 'unknown' },
  );
});
