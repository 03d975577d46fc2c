import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import type { Access } from '../../src/cluster/access.ts';
import { detect } from '../../src/cluster/detect/detect.ts';
import { kubeApi } from '../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import { Meter } from './watchUsage.ts';

// A process of its own: lists and watches all pods in one way, until a pod of the last name comes. Bundled like the
// extension, because that is what people run: watchMode.cjs MODE KUBECONFIG LAST

const [mode = '', kubeconfig = '', last = ''] = process.argv.slice(2);

/** The floor: TLS, and a search in each piece that comes. */
async function bytes(access: Access, meter: Meter): Promise<void> {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const url = new URL(`/api/v1/pods?${query}`, access.server);
  const { headers, tls } = await access.credentials();
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    https.get(url, { headers, ...tls }, resolve).on('error', reject),
  );
  const [end, lastName] = [Buffer.from('initial-events-end'), Buffer.from(`"${last}"`)];
  response.on('data', (chunk: Buffer) => {
    if (chunk.includes(end)) meter.listed();
    if (chunk.includes(lastName)) meter.finished();
  });
}

async function ours(access: Access, meter: Meter, refusesStreaming: boolean): Promise<void> {
  const memory = { refusesStreaming };
  const source = podSource({ api: kubeApi(access), scope: {}, detect, source: 'pods', memory });
  for await (const event of source(new AbortController().signal)) {
    if (event.kind === 'snapshot') setTimeout(() => meter.listed(), 100); // the watch after the pages has been opened
    if (event.kind === 'seen' && event.container.pod === last) meter.finished();
  }
}

async function run(): Promise<void> {
  const access = accessOf(await loadKubeconfig({ env: process.env, home: homedir(), explicitFile: kubeconfig }));
  await access.credentials(); // loads libraries
  const meter = new Meter();
  return mode === 'bytes' ? bytes(access, meter) : ours(access, meter, mode === 'ours-by-pages');
}

void run();
process.on('disconnect', () => process.exit());
