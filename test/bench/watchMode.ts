import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import { detect } from '../../src/cluster/detect/detect.ts';
import { kubeApi } from '../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';

// A process of its own: lists and watches all pods in one way, until a pod of the last name comes.
// watchMode.ts MODE KUBECONFIG LAST; tells its parent `listed`, and at the end what it used.

/** What one process used, in milliseconds of CPU and bytes. */
export interface Usage {
  readonly listMs: number;
  readonly changesMs: number;
  /** Peak over what the process had at its start. */
  readonly memory: number;
}

const [mode = '', kubeconfig = '', last = ''] = process.argv.slice(2);
const access = accessOf(await loadKubeconfig({ env: process.env, home: homedir(), explicitFile: kubeconfig }));
const { headers, tls } = await access.credentials();

/** Counted from here: loading code is not watching, for any mode. */
let start = process.cpuUsage();
let atStart = process.memoryUsage.rss();
let listMs: number | undefined;

const cpuMs = () => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

/** The list has come: note what it took, and let the changes begin. */
function listed() {
  if (listMs !== undefined) return;
  listMs = cpuMs();
  process.send?.('listed');
}

function finished() {
  const memory = process.resourceUsage().maxRSS * 1024 - atStart;
  const usage: Usage = { listMs: listMs!, changesMs: cpuMs() - listMs!, memory };
  process.send?.(usage, () => process.exit());
}

/** The floor: TLS, and a search in each piece that comes. */
async function bytes() {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const url = new URL(`/api/v1/pods?${query}`, access.server);
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    https.get(url, { headers, ...tls }, resolve).on('error', reject),
  );
  const [end, lastName] = [Buffer.from('initial-events-end'), Buffer.from(`"${last}"`)];
  response.on('data', (chunk: Buffer) => {
    if (chunk.includes(end)) listed();
    if (chunk.includes(lastName)) finished();
  });
}

async function ours(refusesStreaming: boolean) {
  const memory = { refusesStreaming };
  const source = podSource({ api: kubeApi(access), scope: {}, detect, source: 'pods', memory });
  for await (const event of source(new AbortController().signal)) {
    if (event.kind === 'snapshot') setTimeout(listed, 100); // after the watch, should there be pages, has been opened
    if (event.kind === 'seen' && event.container.pod === last) finished();
  }
}

async function informer() {
  const { CoreV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
  [start, atStart] = [process.cpuUsage(), process.memoryUsage.rss()];
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const pods = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
  const see = (pod: { metadata?: { name?: string } }) => {
    if (pod.metadata?.name === last) finished();
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
process.on('disconnect', () => process.exit());
