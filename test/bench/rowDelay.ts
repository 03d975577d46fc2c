import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Access, KubeApi } from '../../src/cluster/access.ts';
import { detect } from '../../src/cluster/detect/detect.ts';
import { kubeApi } from '../../src/cluster/http/api.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import { EventLog } from '../../src/core/eventLog.ts';
import { Feed } from '../../src/core/feed.ts';
import { rowsOf } from '../../src/core/selectors.ts';
import { Store } from '../../src/core/store.ts';
import { median, type Table } from './table.ts';
import { benchPod, textOf } from './watchPods.ts';

const event = (type: string, object: string) => `{"type":"${type}","object":${object}}\n`;
const complete = event(
  'BOOKMARK',
  '{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}',
);

/** How long after a line's arrival the rows have it: a watch over a socket, store, selectors. */
export async function rowDelayBench(changes: number, containers: number): Promise<Table> {
  const pods = Array.from({ length: containers }, (_, n) => benchPod(n, true));
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(pods.map(pod => event('ADDED', textOf(pod, 1))).join('') + complete);
    server.emit('watched', response);
  });
  server.listen(0, '127.0.0.1');
  const watched = once(server, 'watched') as Promise<[http.ServerResponse]>;
  await once(server, 'listening');
  const arrivals = new Arrivals(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

  const store = new Store(new EventLog(() => new Date()));
  const feed = new Feed(podSource({ api: arrivals.api, scope: {}, detect, source: 'pods' }), store, console.error);
  const [response] = await watched;
  const delays: number[] = [];
  const change = () => new Promise<void>(resolve => (changed = resolve));
  let changed = () => {};
  store.onDidChange(state => {
    if (rowsOf(state).length < containers) return;
    delays.push(performance.now() - arrivals.last);
    changed();
  });
  await change();
  await delay(200);
  delays.length = 0;
  for (let n = 0; n < changes; n++) {
    const text = textOf(pods[n % containers]!, n + 2).replace('"restartCount":0', `"restartCount":${n + 1}`);
    const done = change();
    response.write(event('MODIFIED', text));
    await done;
    await delay(5);
  }
  feed.dispose();
  server.closeAllConnections();
  server.close();
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (part: number) => `${sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2)} ms`;
  return {
    title: 'Status change to row',
    note:
      `${changes} changes one by one, ${containers} rows; from the arrival of the raw line at the process to the rows that ` +
      'have it (the tree redraws at most every 50 ms after that). Budget: 5 ms at the median.',
    columns: ['median', '9 of 10', 'longest'],
    rows: [[`${median(delays).toFixed(2)} ms`, at(0.9), at(1)]],
  };
}

/** Notes when bytes came over the connection, before anybody reads them. */
class Arrivals {
  readonly api: KubeApi;
  last = 0;

  constructor(server: URL) {
    const access: Access = {
      context: 'bench',
      cluster: 'bench',
      server,
      namespace: 'default',
      credentials: async () => ({ headers: {}, tls: {} }),
      forget: () => {},
    };
    const { get } = kubeApi(access);
    this.api = {
      access,
      get: async (path, signal) => {
        const response = await get(path, signal);
        response.socket.prependListener('data', () => (this.last = performance.now()));
        return response;
      },
    };
  }
}
