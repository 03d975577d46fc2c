import { get, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { detect } from '../../src/cluster/detect/detect.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import { sentinel } from './watchPods.ts';

/** What one process used, in milliseconds of CPU and bytes. */
export interface Usage {
  readonly listMs: number;
  readonly changesMs: number;
  /** Peak over what the process had at its start. */
  readonly memory: number;
}

const [mode, port, authority] = process.argv.slice(2) as [string, string, string];
const options: RequestOptions = { host: '127.0.0.1', port: Number(port), ca: authority };
/** Counted from here: loading code is not watching, for any mode. */
let start = process.cpuUsage();
let atStart = process.memoryUsage.rss();
let listMs: number | undefined;

const cpuMs = () => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

/** The list has come: note what it took, and ask for the changes. */
function listed() {
  if (listMs !== undefined) return;
  listMs = cpuMs();
  void request('/changes').then(response => response.resume());
}

function finished() {
  const memory = process.resourceUsage().maxRSS * 1024 - atStart;
  const usage: Usage = { listMs: listMs!, changesMs: cpuMs() - listMs!, memory };
  process.send?.(usage, () => process.exit());
}

const request = (path: string, signal?: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) =>
    get({ ...options, path, ...(signal ? { signal } : {}) }, resolve).on('error', reject),
  );

/** The floor: TLS, and a search in each piece that comes. */
async function bytes() {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const response = await request(`/api/v1/pods?${query}`);
  const [end, last] = [Buffer.from('initial-events-end'), Buffer.from(`"${sentinel}"`)];
  response.on('data', (chunk: Buffer) => {
    if (chunk.includes(end)) listed();
    if (chunk.includes(last)) finished();
  });
}

async function ours(refusesStreaming: boolean) {
  const server = new URL(`https://127.0.0.1:${port}`);
  const access = {
    context: 'bench',
    cluster: 'bench',
    server,
    namespace: 'default',
    credentials: async () => ({ headers: {}, tls: {} }),
    forget: () => {},
  };
  const source = podSource({
    api: { access, get: request },
    scope: {},
    detect,
    source: 'pods',
    memory: { refusesStreaming },
  });
  for await (const event of source(new AbortController().signal)) {
    if (event.kind === 'snapshot') setImmediate(listed); // after the watch, should there be pages, has been asked for
    if (event.kind === 'seen' && event.container.pod === sentinel) finished();
  }
}

async function informer() {
  const { CoreV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
  [start, atStart] = [process.cpuUsage(), process.memoryUsage.rss()];
  const config = new KubeConfig();
  const caData = Buffer.from(authority).toString('base64');
  config.loadFromClusterAndUser(
    { name: 'bench', server: `https://127.0.0.1:${port}`, caData, skipTLSVerify: false },
    { name: 'bench', token: 'x' },
  );
  const api = config.makeApiClient(CoreV1Api);
  const pods = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
  const see = (pod: { metadata?: { name?: string } }) => {
    if (pod.metadata?.name === sentinel) finished();
  };
  pods.on('add', see);
  pods.on('update', see);
  pods.on('error', error => console.error('informer:', error));
  await pods.start();
  setTimeout(listed, 200); // its watch opens after `start` has resolved
}

const modes: Readonly<Record<string, () => Promise<void>>> = {
  bytes,
  ours: () => ours(false),
  'ours-by-pages': () => ours(true),
  informer,
};
await modes[mode]!();
