import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { PassThrough } from 'node:stream';
import { openForwards } from '../../src/cluster/forward/openForwards.ts';
import type { Transport } from '../../src/cluster/forward/session.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';
import { followId } from '../../src/core/identity.ts';

// A process of its own: forwards one port in one way until its parent goes. forwardMode.ts MODE KUBECONFIG NAMESPACE POD PORT

const [mode = '', kubeconfig = '', namespace = '', pod = '', portText = ''] = process.argv.slice(2);
const port = Number(portText);

/** As in the README of the library. */
async function clientNode(): Promise<number> {
  const { KubeConfig, PortForward } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const forward = new PortForward(config);
  const server = net.createServer(socket => {
    socket.on('error', () => undefined);
    void forward.portForward(namespace, pod, [port], socket, new PassThrough().resume(), socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function ours(transport: Transport): Promise<number> {
  const place = { env: process.env, home: homedir(), explicitFile: kubeconfig };
  const access = accessOf(await loadKubeconfig(place));
  const at = { cluster: access.cluster, namespace };
  const forwards = openForwards({ accessOf: () => access, transports: [transport], log: console.error });
  const forward = await forwards.open(
    { pod: { ...at, pod, podUid: '' }, port, follow: followId({ ...at, container: '' }, pod) },
    new AbortController().signal,
  );
  forward.onProblem(error => console.error(error.message));
  return forward.localPort;
}

process.send?.(await (mode === 'client-node' ? clientNode() : ours(mode as Transport)));
process.on('disconnect', () => process.exit());
