import { KubeConfig, PortForward } from '@kubernetes/client-node';
import net, { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';

// A process of its own: forwards one port until its parent goes, as in the README of client-node.
// forwardClientNode.ts KUBECONFIG NAMESPACE POD PORT

const [kubeconfig = '', namespace = '', pod = '', port = ''] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const forward = new PortForward(config);
const server = net.createServer(socket => {
  socket.on('error', () => undefined);
  void forward.portForward(namespace, pod, [Number(port)], socket, new PassThrough().resume(), socket);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
