import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { ApiServer } from './support/apiServer.ts';
import { makeCertificate } from './support/certificate.ts';
import { download, echo, talk, until, upload } from './support/clients.ts';
import { patternHash, PodApp, PORT } from './support/podApp.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
const skip = hasKubectl || process.env['CI'] ? false : 'no kubectl on PATH';
const SIZE = 20 << 20;

// kubectl compresses its header blocks with the dictionary of SPDY/3, and speaks all of the protocol by moby/spdystream:
// it is the proof that the demo cluster's side is that of a real server.
for (const [name, webSockets, upgrade] of [
  ['SPDY in a WebSocket', 'true', 'SPDY/3.1+portforward.k8s.io'],
  ['SPDY', 'false', 'spdy/3.1'],
] as const)
  test(`kubectl port-forward over ${name}`, { skip }, async t => {
    const { api, app, kubeconfig } = await cluster(t);
    const kubectl = forward(t, kubeconfig, webSockets, [`:${PORT.echo}`, `:${PORT.bulk}`, `:${PORT.nobody}`]);
    const [echoPort = 0, bulkPort = 0, nobodyPort = 0] = await portsOf(kubectl, 3);
    assert.deepEqual(api.upgrades, [upgrade]);
    assert.equal(await echo(echoPort), 'hello');
    const texts = Array.from({ length: 20 }, (_, index) => `connection ${index}`);
    assert.deepEqual(await Promise.all(texts.map(text => echo(echoPort, text))), texts);
    assert.equal(await download(bulkPort, SIZE), patternHash(SIZE));
    assert.equal(await upload(bulkPort, SIZE), patternHash(SIZE));
    await until('pod is rid of the connections', () => app.open === 0);
    const said = textOf(kubectl.stderr);
    await talk(nobodyPort, 'x');
    await until('kubectl tells the error text', () =>
      /error forwarding port 9999 to pod .*connection refused/.test(said.text),
    );
  });

test('kubectl falls back to SPDY when it has no right to get', { skip }, async t => {
  const { api, kubeconfig } = await cluster(t);
  api.verbs = ['create'];
  const kubectl = forward(t, kubeconfig, 'true', [`:${PORT.echo}`]);
  const [port = 0] = await portsOf(kubectl, 1);
  assert.equal(await echo(port), 'hello');
  assert.deepEqual(api.upgrades, ['SPDY/3.1+portforward.k8s.io', 'spdy/3.1']);
});

async function cluster(t: TestContext) {
  const certificate = makeCertificate();
  const api = await ApiServer.start({ certificate });
  const app = await PodApp.start();
  api.addPod('web', app);
  const home = await mkdtemp(join(tmpdir(), 'forward-'));
  const kubeconfig = join(home, 'config');
  await writeFile(kubeconfig, JSON.stringify(configOf(api, certificate.ca)));
  t.after(async () => {
    app.close();
    await api.close();
    await rm(home, { recursive: true });
  });
  return { api, app, kubeconfig };
}

const configOf = (api: ApiServer, ca: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'test',
      cluster: { server: api.url.origin, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    },
  ],
  users: [{ name: 'dev', user: { token: 'good' } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'dev', namespace: 'shop' } }],
  'current-context': 'test',
});

function forward(t: TestContext, kubeconfig: string, webSockets: string, ports: readonly string[]): ChildProcess {
  const child = spawn('kubectl', ['--kubeconfig', kubeconfig, 'port-forward', 'pod/web', ...ports], {
    env: {
      ...process.env,
      HOME: join(kubeconfig, '..'),
      KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets,
      KUBECONFIG: kubeconfig,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  return child;
}

function textOf(stream: NodeJS.ReadableStream | null): { text: string } {
  const said = { text: '' };
  stream?.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
  return said;
}

/** The local ports, in the order of the arguments. */
async function portsOf(kubectl: ChildProcess, count: number): Promise<number[]> {
  const said = textOf(kubectl.stdout);
  const errors = textOf(kubectl.stderr);
  const ports = () => [...said.text.matchAll(/127\.0\.0\.1:(\d+) ->/g)].map(([, port]) => Number(port));
  await until('kubectl forwards', () => {
    assert.equal(kubectl.exitCode, null, errors.text);
    return ports().length === count;
  });
  return ports();
}
