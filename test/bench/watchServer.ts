import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../src/demo/api/certificates.ts';
import { writeKubeconfig } from './kubeconfigFile.ts';
import { type BenchPod, benchPod, type ServerStart, textOf } from './watchPods.ts';

const firstVersion = 5_000_000;

/**
 * A synthetic API server with TLS that knows lists and watches of pods. Its parent's message, the name of a last pod,
 * sends status changes and that pod to every watch, as fast as they are read.
 */
class WatchServer {
  private readonly pods: readonly BenchPod[];
  private readonly changes: number;
  private readonly watches = new Set<ServerResponse>();
  private readonly version: number;

  constructor(pods: number, changes: number, debuggable: number) {
    const every = Math.max(1, Math.floor(pods / Math.max(1, debuggable)));
    this.pods = Array.from({ length: pods }, (_, n) => benchPod(n, debuggable > 0 && n % every === 0));
    this.changes = changes;
    this.version = firstVersion + pods;
  }

  get podBytes(): number {
    return this.pods.reduce((sum, pod) => sum + pod.before.length + pod.after.length, 0) / this.pods.length;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'https://x');
    const answer = discovery[url.pathname];
    if (answer) return void response.writeHead(200, json).end(JSON.stringify(answer));
    if (url.pathname !== '/api/v1/pods') return void response.writeHead(404, json).end('{"kind":"Status","code":404}');
    return url.searchParams.has('watch')
      ? this.watch(url.searchParams, response)
      : this.list(url.searchParams, response);
  }

  private async list(query: URLSearchParams, response: ServerResponse) {
    const from = Number(query.get('continue') ?? 0);
    const to = Math.min(this.pods.length, from + (Number(query.get('limit')) || this.pods.length));
    const more = to < this.pods.length ? `,"continue":"${to}"` : '';
    response.writeHead(200, json);
    response.write(
      `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"${this.version}"${more}},"items":[`,
    );
    const kind = '"kind":"Pod","apiVersion":"v1",';
    for (let n = from; n < to; n++)
      await put(response, `${n > from ? ',' : ''}${textOf(this.pods[n]!, firstVersion + n).replace(kind, '')}`);
    response.end(']}\n');
  }

  private async watch(query: URLSearchParams, response: ServerResponse) {
    response.writeHead(200, json).flushHeaders();
    if (query.get('sendInitialEvents') === 'true') {
      await send(response, this.pods.length, n => event('ADDED', textOf(this.pods[n]!, firstVersion + n)));
      const metadata = `{"resourceVersion":"${this.version}","annotations":{"k8s.io/initial-events-end":"true"}}`;
      response.write(event('BOOKMARK', `{"kind":"Pod","apiVersion":"v1","metadata":${metadata}}`));
    }
    this.watches.add(response);
    response.on('close', () => this.watches.delete(response));
  }

  async change(lastName: string): Promise<void> {
    const last = textOf(benchPod(0, true), this.version + this.changes + 1).replace(
      /"name":"[^"]*"/,
      `"name":"${lastName}"`,
    );
    for (const watch of this.watches) {
      await send(watch, this.changes, n =>
        event('MODIFIED', textOf(this.pods[(n * 7919) % this.pods.length]!, this.version + n + 1)),
      );
      watch.write(event('ADDED', last));
    }
  }
}

const json = { 'content-type': 'application/json' };
const event = (type: string, object: string) => `{"type":"${type}","object":${object}}\n`;

/** What kubectl asks before it lists. */
const discovery: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs: ['get', 'list', 'watch'],
        shortNames: ['po'],
      },
    ],
  },
};

/** One piece per event, as API servers flush after each. */
async function send(response: ServerResponse, count: number, make: (n: number) => string) {
  for (let n = 0; n < count && !response.destroyed; n++) await put(response, make(n));
}

async function put(response: ServerResponse, text: string) {
  if (response.write(text) || response.destroyed) return;
  const left = new AbortController();
  await Promise.race([once(response, 'drain', left), once(response, 'close', left)]).catch(() => undefined);
  left.abort();
}

const [pods, changes, debuggable] = process.argv.slice(2).map(Number) as [number, number, number];
const watchServer = new WatchServer(pods, changes, debuggable);
const authority = createAuthority();
const { certificate, key } = authority.server();
const server: Server = createServer({ cert: certificate, key }, (request, response) => {
  watchServer.handle(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const kubeconfig = writeKubeconfig(`https://127.0.0.1:${port}`, authority.certificate);
  const start: ServerStart = { kubeconfig, podBytes: watchServer.podBytes };
  process.send?.(start);
});
process.on('message', (lastName: string) => void watchServer.change(lastName));
process.on('disconnect', () => process.exit());
