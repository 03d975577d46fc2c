// The product in a process of its own, through 200 faults in a row. The parent has the proxy that makes them; arguments:
// kubeconfig, name and uid of the pod `echo`. Needs --expose-gc and an IPC channel; its last message is what it has measured.
import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { detect } from '../../../src/cluster/detect/detect.ts';
import { remarksOn } from '../../../src/cluster/detect/remarks.ts';
import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import type { PortForward } from '../../../src/cluster/forward/portForward.ts';
import { kubeApi } from '../../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { watchScopes } from '../../../src/cluster/watch/scopes.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { followId } from '../../../src/core/identity.ts';
import { Store } from '../../../src/core/store.ts';
import { until } from '../cluster/run.ts';
import { echo, EchoFlow } from './echo.ts';

/** Faults after which is measured: the first ones fill caches. */
const FIRST = 50;
const LAST = 200;

/** What a process holds, when it is at rest. */
export type Holding = Readonly<{
  faults: number;
  heapBytes: number;
  rssBytes: number;
  /** Open files and sockets. */
  descriptors: number;
  /** Sockets, servers and timers that keep the process alive. */
  resources: number;
  emitters: number;
  signals: number;
  functions: number;
}>;

/** What the parent is asked for; each is answered with a message when it is done. */
export type FaultRequest = 'cut' | 'refuse' | 'accept';

const [, , kubeconfig = '', pod = '', podUid = ''] = process.argv;
const access = accessOf(await loadKubeconfig({ env: {}, home: homedir(), explicitFile: kubeconfig }));

// Few records, and short waits: what a log may keep is no growth, and 200 faults are to be over soon.
const log = new EventLog(() => new Date(), 20);
const store = new Store(log);
const limits = { backoff: { firstMs: 20, mostMs: 100 } };
const pods = watchScopes({
  api: kubeApi(access),
  detect,
  remarks: remarksOn,
  namespaces: ['shop'],
  fallback: [],
  limits,
});
const feed = new Feed(pods, store, error => {
  throw error;
});
const forwards = openForwards({ accessOf: () => access, limits: { idleMs: 200 } });
const states = () => [...store.state.sources.values()].map(({ kind }) => kind);
const isWatching = () => states().length === 1 && states()[0] === 'watching';
const fast = { everyMs: 5 };

const ask = (request: FaultRequest): Promise<void> =>
  new Promise(resolve => {
    process.once('message', () => resolve());
    process.send!(request);
  });

const open = (): Promise<PortForward> => {
  const place = { cluster: access.cluster, namespace: 'shop', pod, podUid };
  const follow = followId({ ...place, container: echo.container }, 'Pod/echo');
  return forwards.open({ pod: place, port: echo.port, follow }, AbortSignal.timeout(30_000));
};

async function flowOver({ localPort }: PortForward): Promise<EchoFlow> {
  const flow = new EchoFlow(localPort);
  await until('bytes in both directions', () => flow.received > 0 || !flow.isOpen, fast);
  return flow;
}

const untilEnd = (flow: EchoFlow) => until('the end of a connection', () => !flow.isOpen, fast);

let forward = await open();

/** Each leaves the product watching, with a forward that can be used. */
const faults: readonly (() => Promise<void>)[] = [
  async function everythingIsReset() {
    const flow = await flowOver(forward);
    await Promise.all([ask('cut'), untilEnd(flow)]);
  },
  async function newConnectionsAreRefused() {
    await ask('refuse');
    await ask('cut');
    await until('the failure', () => states()[0] === 'retrying', fast);
    await untilEnd(await flowOver(forward));
    await ask('accept');
  },
  async function aClientBreaksOff() {
    const flow = await flowOver(forward);
    flow.close();
    await untilEnd(flow);
  },
  async function aForwardIsStoppedInTheMiddle() {
    const flow = await flowOver(forward);
    forward.dispose();
    await untilEnd(flow);
    forward = await open();
  },
];

const look = (): Omit<Holding, 'faults'> => {
  for (let i = 0; i < 3; i++) globalThis.gc!();
  const count = (of: object) => queryObjects(of as never, { format: 'count' });
  return {
    heapBytes: process.memoryUsage().heapUsed,
    rssBytes: process.memoryUsage.rss(),
    descriptors: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().length,
    emitters: count(EventEmitter),
    signals: count(AbortSignal),
    functions: count(Function),
  };
};

/** The longest that something takes to end by itself: Node's agent keeps an idle connection for five seconds. */
const REST_MS = 7_000;

async function measure(faultCount: number): Promise<Holding> {
  await until('the watch', isWatching, fast);
  await delay(REST_MS);
  return { faults: faultCount, ...look() };
}

process.once('disconnect', () => process.exit());

const measured: Holding[] = [];
for (let count = 1; count <= LAST; count++) {
  await until('the watch', isWatching, fast);
  await faults[count % faults.length]!();
  if (count === FIRST || count === LAST) measured.push(await measure(count));
}
feed.dispose();
forwards.dispose();
await feed.done;
process.send!(measured, () => process.exit());
