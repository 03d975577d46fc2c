import type { ForwardBenchTarget } from './forwardWays.ts';
import { inParallel, type RealCluster } from './realNode.ts';
import type { WatchLoad } from './watch.ts';

/** Everything that the bench makes is in it. */
export const namespace = 'breakpod-bench';
const podsPath = `/api/v1/namespaces/${namespace}/pods`;
const conflict = { accepted: [409] };

/** A namespace of the bench's own while `use` runs; everything in it goes with it. */
export async function withNamespace<T>(cluster: RealCluster, use: () => Promise<T>): Promise<T> {
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } }, conflict);
  const account = { metadata: { name: 'default' } };
  await cluster.call('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account, conflict);
  try {
    return await use();
  } finally {
    await cluster.call('DELETE', `/api/v1/namespaces/${namespace}`);
    await cluster.until(`/api/v1/namespaces/${namespace}`, object => object.code === 404);
  }
}

/** Answers GET /N with N MiB and a POST with anything. */
const program = `
const block = Buffer.alloc(1 << 20, 7);
const server = require('http').createServer(async (request, response) => {
  if (request.method === 'POST') { let n = 0; for await (const c of request) n += c.length; return response.end('' + n); }
  const count = Number(request.url.slice(1));
  response.writeHead(200, { 'content-length': count * block.length || 1 });
  if (!count) return response.end('x');
  for (let n = 0; n < count; n++) if (!response.write(block)) await new Promise(go => response.once('drain', go));
  response.end();
}).listen(8080);
server.keepAliveTimeout = 0;`;

/** A pod to forward to; `image` has Node. */
export async function startServer(cluster: RealCluster, image: string): Promise<ForwardBenchTarget> {
  const pod = 'server';
  await startPod(cluster, pod, { name: 'app', image, command: ['node', '-e', program] });
  return { kubeconfig: cluster.kubeconfig, namespace, pod, port: 8080 };
}

/** A pod that a debugger could be attached to; the ID of its container, without the runtime's name. */
export function startDebuggable(cluster: RealCluster, pod: string, image: string): Promise<string> {
  const command = ['node', '--inspect=127.0.0.1:9229', '-e', 'setInterval(() => {}, 1e6)'];
  return startPod(cluster, pod, { name: 'app', image, command });
}

export const deletePod = (cluster: RealCluster, pod: string): Promise<unknown> =>
  cluster.call('DELETE', `${podsPath}/${pod}`);

async function startPod(cluster: RealCluster, pod: string, container: object): Promise<string> {
  const spec = { containers: [container], automountServiceAccountToken: false, terminationGracePeriodSeconds: 0 };
  await cluster.call('POST', podsPath, { metadata: { name: pod }, spec });
  const { status } = await cluster.until(
    `${podsPath}/${pod}`,
    object => object.status?.containerStatuses?.[0]?.ready === true,
  );
  return status?.containerStatuses?.[0]?.containerID?.replace(/^.*:\/\//, '') ?? '';
}

const annotation = {
  'debug.cloud.google.com/config': JSON.stringify({ app: { runtime: 'nodejs', ports: { devtools: 9229 } } }),
};
const env = Array.from({ length: 24 }, (_, n) => ({ name: `SETTING_${n}`, value: `value-of-a-setting-${n}` }));

/** A pod that no scheduler takes: it has all the JSON and costs no node anything. */
const unscheduled = (name: string, isDebuggable: boolean) => ({
  metadata: {
    name,
    labels: { app: `service-${name.slice(-2)}`, tier: 'backend' },
    annotations: isDebuggable ? annotation : { 'team.example/owner': 'x' },
  },
  spec: {
    schedulerName: 'none',
    automountServiceAccountToken: false,
    containers: [
      { name: 'app', image: 'registry.example/app:1', env, ports: [{ containerPort: 8080, name: 'http' }] },
      { name: 'proxy', image: 'registry.example/proxy:1', env },
    ],
  },
});

const nameOf = (n: number) => `pod-${String(n).padStart(5, '0')}`;

/** Many pods, one in a hundred debuggable, whose statuses change. */
export async function createPods(cluster: RealCluster, pods: number, changes: number): Promise<WatchLoad> {
  await inParallel(pods, n => cluster.call('POST', podsPath, unscheduled(nameOf(n), n % 100 === 0)));
  const { items = [] } = await cluster.call('GET', `${podsPath}?limit=100`);
  const bytes = JSON.stringify(items).length / items.length;
  return {
    kubeconfig: cluster.kubeconfig,
    what: `${pods} pods of ${(bytes / 1000).toFixed(1)} kB, ${Math.ceil(pods / 100)} debuggable, then ${changes} changes`,
    change: (lastName, isOver) => change(cluster, { pods, changes, lastName, isOver }),
  };
}

interface Change {
  readonly pods: number;
  readonly changes: number;
  readonly lastName: string;
  readonly isOver: Promise<unknown>;
}

async function change(cluster: RealCluster, { pods, changes, lastName, isOver }: Change): Promise<void> {
  await inParallel(changes, n =>
    cluster.call('PATCH', `${podsPath}/${nameOf((n * 7919) % pods)}/status`, statusOf(`${lastName} ${n}`, n % 7), {
      type: 'application/strategic-merge-patch+json',
    }),
  );
  await cluster.call('POST', podsPath, unscheduled(lastName, true));
  void isOver.then(() => cluster.call('DELETE', `${podsPath}/${lastName}`)).catch(() => undefined);
}

const statusOf = (message: string, restartCount: number) => ({
  status: {
    phase: 'Pending',
    message,
    containerStatuses: [
      {
        name: 'app',
        image: 'registry.example/app:1',
        imageID: '',
        ready: false,
        restartCount,
        state: { waiting: { reason: 'ContainerCreating' } },
      },
    ],
  },
});
